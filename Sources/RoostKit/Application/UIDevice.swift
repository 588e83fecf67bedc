public import Foundation

/// The device an app runs on.
@preconcurrency @MainActor open class UIDevice: NSObject {
    /// The one device there is.
    public static let current = UIDevice()

    /// Whether apps may run in the background here (R-49, K091).
    open var isMultitaskingSupported: Bool { AppSession.shared.isMultitaskingSupported }
}
