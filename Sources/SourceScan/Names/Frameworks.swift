/// Apple's frameworks that do not exist on Linux, and the advice for each.
enum Frameworks {
    /// The advice for an import.
    static func advice(_ module: String) -> String {
        if let special = special[module] { return special }
        if known.contains(module) { return behindAProtocol(module) }
        return
            "a module of the project or of a package: if it builds on Linux, add it to Package.swift, or include its "
            + "files; otherwise " + behindAProtocol(module)
    }

    static func behindAProtocol(_ module: String) -> String {
        "put it behind a protocol of the app, and move its uses to a file under #if canImport(\(module))"
    }

    private static let special = [
        "SwiftUI": "move views to their own files; keep the logic in files without SwiftUI",
        "Combine": "use closures or async sequences, or move the publishers to a file under #if canImport(Combine)",
        "CoreData":
            "put the store behind a protocol of the app, and code that uses Core Data under #if canImport(CoreData)",
        "SwiftData":
            "put the store behind a protocol of the app, and code that uses SwiftData under #if canImport(SwiftData)",
        "BackgroundTasks":
            "move code that registers and submits tasks to a file under #if canImport(BackgroundTasks); the work stays",
        "NewsstandKit":
            "the product RoostNewsstandKit, with -module-alias NewsstandKit=RoostNewsstandKit beside that of UIKit",
        "CoreLocation":
            "the product RoostCoreLocation, with -module-alias CoreLocation=RoostCoreLocation beside that of UIKit",
        "PushKit": "the product RoostPushKit, with -module-alias PushKit=RoostPushKit beside that of UIKit",
        "CallKit":
            "for CXProvider, CXCallController and CXCallObserver the product RoostCallKit, with "
            + "-module-alias CallKit=RoostCallKit beside that of UIKit; for the rest: \(behindAProtocol("CallKit"))",
        "AVFAudio": audio("AVFAudio"), "AVFoundation": audio("AVFoundation"),
        "os": "put it behind a logging function of the app; #if canImport(os)",
        "OSLog": "put it behind a logging function of the app; #if canImport(OSLog)",
        "Darwin": "#if canImport(Darwin), #else import Glibc",
        "CryptoKit": "the package swift-crypto: #if canImport(CryptoKit), #else import Crypto",
        "CoreGraphics": "CGFloat, CGPoint, CGSize and CGRect come with Foundation: #if canImport(CoreGraphics)",
        "XCTest": "a file of tests: it belongs to a test target",
        "Testing": "a file of tests: it belongs to a test target",
    ]

    private static func audio(_ module: String) -> String {
        "for AVAudioSession and AVAudioPlayer the product RoostAVFAudio, with -module-alias \(module)=RoostAVFAudio "
            + "beside that of UIKit; for the rest: \(behindAProtocol(module))"
    }

    private static let known = ToolchainNames.names(
        """
        ARKit AVKit Accelerate Accounts ActivityKit AdServices AdSupport AppIntents
        AppTrackingTransparency AssetsLibrary AudioToolbox AuthenticationServices BackgroundAssets CFNetwork
        CarPlay ClockKit CloudKit CommonCrypto Contacts ContactsUI CoreAudio CoreBluetooth CoreFoundation CoreHaptics
        CoreImage CoreMIDI CoreML CoreMedia CoreMotion CoreNFC CoreServices CoreSpotlight CoreTelephony
        CoreText CoreTransferable CoreVideo CoreWLAN DeviceCheck EventKit EventKitUI ExternalAccessory FileProvider
        GameController GameKit GameplayKit HealthKit HomeKit IOKit IdentityLookup ImageIO Intents IntentsUI LinkPresentation
        LocalAuthentication MapKit MediaPlayer MessageUI Messages Metal MetalKit MetricKit MobileCoreServices
        MultipeerConnectivity NaturalLanguage NearbyInteraction Network NetworkExtension NotificationCenter ObjectiveC
        PDFKit PassKit PencilKit Photos PhotosUI QuartzCore QuickLook RealityKit ReplayKit SafariServices
        SceneKit Security Social Speech SpriteKit StoreKit SystemConfiguration TipKit UniformTypeIdentifiers
        UserNotifications UserNotificationsUI VideoToolbox Vision VisionKit WatchConnectivity WatchKit WebKit WidgetKit
        iAd
        """)
}
