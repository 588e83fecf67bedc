@_exported public import Dispatch
@_exported public import Foundation

/// The root of the classes that respond to events, as in UIKit. Importing UIKit brings Foundation and
/// Dispatch along, so this module hands them on.
@preconcurrency @MainActor open class UIResponder: NSObject {
    /// Creates a responder. `required`, because an app delegate is made from its type: a delegate that has an
    /// `init` of its own writes `required override init()`.
    public required override init() { super.init() }
}

/// A window. Roost draws nothing: the class is there so that a delegate's `window` compiles.
@preconcurrency @MainActor open class UIWindow: UIResponder {}
