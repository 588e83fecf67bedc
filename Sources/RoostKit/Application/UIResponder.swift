@_exported public import Dispatch
@_exported public import Foundation

/// The root of the classes that respond to events, as in UIKit. Importing UIKit brings Foundation and
/// Dispatch along, so this module hands them on.
///
/// What a responder does not handle goes on to its `next` one: from a view to its controller and its superviews, the
/// window, the window's scene, the application and, where it is a responder, the application's delegate.
@preconcurrency @MainActor open class UIResponder: NSObject {
    /// Creates a responder.
    public override init() { super.init() }

    /// Who gets the events that this responder does not handle; nil at the end of the chain.
    open var next: UIResponder? { nil }

    // MARK: The first responder

    /// Whether it may be the first responder of its window: false, unless a subclass says otherwise.
    open var canBecomeFirstResponder: Bool { false }

    /// Whether it lets go of being the first responder: true, unless a subclass says otherwise.
    open var canResignFirstResponder: Bool { true }

    /// Whether it is the first responder of its window, which gets what is typed.
    open var isFirstResponder: Bool { responderWindow?.firstResponder === self }

    /// Asks to be the first responder of its window, in place of the present one.
    ///
    /// - Returns: Whether it is that now. False where it is in no window, may not, or the present one does not let go.
    @discardableResult open func becomeFirstResponder() -> Bool {
        guard let window = responderWindow, canBecomeFirstResponder else { return isFirstResponder }
        if window.firstResponder === self { return true }
        if let present = window.firstResponder {
            guard present.canResignFirstResponder, present.resignFirstResponder() else { return false }
        }
        window.firstResponder = self
        return true
    }

    /// Lets go of being the first responder.
    ///
    /// - Returns: Whether it is not that any more.
    @discardableResult open func resignFirstResponder() -> Bool {
        if let window = responderWindow, window.firstResponder === self { window.firstResponder = nil }
        return true
    }

    /// The window whose first responder this one may be.
    var responderWindow: UIWindow? { nil }

    // MARK: Touches

    /// Fingers have come down; goes on to `next`, unless a subclass handles it.
    open func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) { next?.touchesBegan(touches, with: event) }

    /// Fingers have moved; goes on to `next`, unless a subclass handles it.
    open func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) { next?.touchesMoved(touches, with: event) }

    /// Fingers were lifted; goes on to `next`, unless a subclass handles it.
    open func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) { next?.touchesEnded(touches, with: event) }

    /// The system has ended the touches, as when the app stops being active; goes on to `next`.
    open func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        next?.touchesCancelled(touches, with: event)
    }

    // MARK: Presses

    /// Keys have gone down; goes on to `next`, unless a subclass handles it.
    open func pressesBegan(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        next?.pressesBegan(presses, with: event)
    }

    /// The force of presses has changed, which keys' does not; goes on to `next`.
    open func pressesChanged(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        next?.pressesChanged(presses, with: event)
    }

    /// Keys have come up; goes on to `next`, unless a subclass handles it.
    open func pressesEnded(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        next?.pressesEnded(presses, with: event)
    }

    /// The system has ended the presses; goes on to `next`.
    open func pressesCancelled(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        next?.pressesCancelled(presses, with: event)
    }
}
