/// Apple's frameworks that do not exist on Linux, and the advice for each.
enum Frameworks {
    /// The advice for an import.
    static func advice(_ module: String) -> String {
        if let special = special[module] { return special }
        if known.contains(module) { return behindAProtocol(module) }
        return
            "a module of the project's or a package: if it builds on Linux, add it to the Package.swift and take its "
            + "files in; else " + behindAProtocol(module)
    }

    static func behindAProtocol(_ module: String) -> String {
        "put a protocol of the app's own in front of it, and its uses into a file under #if canImport(\(module))"
    }

    private static let special = [
        "SwiftUI": "views in files of their own; what they show stays in files without SwiftUI",
        "Combine": "closures or async sequences, or the publishers in a file under #if canImport(Combine)",
        "CoreData":
            "a protocol of the app's own in front of the store, what uses Core Data under #if canImport(CoreData)",
        "SwiftData":
            "a protocol of the app's own in front of the store, what uses SwiftData under #if canImport(SwiftData)",
        "BackgroundTasks":
            "what registers and submits tasks in a file under #if canImport(BackgroundTasks); the work itself stays",
        "NewsstandKit":
            "the product RoostNewsstandKit, with -module-alias NewsstandKit=RoostNewsstandKit beside that of UIKit",
        "os": "put a logging function of the app's own in front of it; #if canImport(os)",
        "OSLog": "put a logging function of the app's own in front of it; #if canImport(OSLog)",
        "Darwin": "#if canImport(Darwin), #else import Glibc",
        "CryptoKit": "the package swift-crypto: #if canImport(CryptoKit), #else import Crypto",
        "CoreGraphics": "CGFloat, CGPoint, CGSize and CGRect come with Foundation: #if canImport(CoreGraphics)",
        "XCTest": "a file of tests: it belongs to a test target",
        "Testing": "a file of tests: it belongs to a test target",
    ]

    private static let known = ToolchainNames.names(
        """
        ARKit AVFAudio AVFoundation AVKit Accelerate Accounts ActivityKit AdServices AdSupport AppIntents
        AppTrackingTransparency AssetsLibrary AudioToolbox AuthenticationServices BackgroundAssets CFNetwork CallKit
        CarPlay ClockKit CloudKit CommonCrypto Contacts ContactsUI CoreAudio CoreBluetooth CoreFoundation CoreHaptics
        CoreImage CoreLocation CoreMIDI CoreML CoreMedia CoreMotion CoreNFC CoreServices CoreSpotlight CoreTelephony
        CoreText CoreTransferable CoreVideo CoreWLAN DeviceCheck EventKit EventKitUI ExternalAccessory FileProvider
        GameController GameKit GameplayKit HealthKit HomeKit IOKit IdentityLookup ImageIO Intents IntentsUI LinkPresentation
        LocalAuthentication MapKit MediaPlayer MessageUI Messages Metal MetalKit MetricKit MobileCoreServices
        MultipeerConnectivity NaturalLanguage NearbyInteraction Network NetworkExtension NotificationCenter ObjectiveC
        PDFKit PassKit PencilKit Photos PhotosUI PushKit QuartzCore QuickLook RealityKit ReplayKit SafariServices
        SceneKit Security Social Speech SpriteKit StoreKit SystemConfiguration TipKit UniformTypeIdentifiers
        UserNotifications UserNotificationsUI VideoToolbox Vision VisionKit WatchConnectivity WatchKit WebKit WidgetKit
        iAd
        """)
}
