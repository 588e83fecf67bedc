@_exported public import Dispatch
@_exported public import Foundation

/// The base class of objects that respond to events, as in UIKit. Like UIKit, this module re-exports Foundation
/// and Dispatch.
///
/// A responder passes events that it does not handle to its `next` responder. The chain leads from a view to its
/// controller and superviews, then to the window, the window's scene and the application. The application's delegate is
/// last, if it is a responder.
@preconcurrency @MainActor open class UIResponder: NSObject {
    /// Creates a responder.
    public override init() { super.init() }

    /// The next responder in the chain; nil at its end.
    open var next: UIResponder? { nil }

    // MARK: The first responder

    /// Whether this object may become the first responder of its window; false by default.
    open var canBecomeFirstResponder: Bool { false }

    /// Whether this object may give up first-responder status; true by default.
    open var canResignFirstResponder: Bool { true }

    /// Whether this object is the first responder of its window and receives typed text.
    open var isFirstResponder: Bool { responderWindow?.firstResponder === self }

    /// Asks to become the first responder of its window, replacing the current first responder.
    ///
    /// - Returns: Whether this object is now the first responder. False if it has no window or may not become first
    ///   responder, or if the current first responder refuses to resign.
    @discardableResult open func becomeFirstResponder() -> Bool {
        guard let window = responderWindow, canBecomeFirstResponder else { return isFirstResponder }
        if window.firstResponder === self { return true }
        if let present = window.firstResponder {
            guard present.canResignFirstResponder, present.resignFirstResponder() else { return false }
        }
        window.firstResponder = self
        return true
    }

    /// Gives up first-responder status.
    ///
    /// - Returns: Whether this object is no longer the first responder.
    @discardableResult open func resignFirstResponder() -> Bool {
        if let window = responderWindow, window.firstResponder === self { window.firstResponder = nil }
        return true
    }

    /// The window in which this object may be first responder; nil by default.
    var responderWindow: UIWindow? { nil }

    // MARK: Touches

    /// Touches have begun; passed to `next` unless a subclass handles them.
    open func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) { next?.touchesBegan(touches, with: event) }

    /// Touches have moved; passed to `next` unless a subclass handles them.
    open func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) { next?.touchesMoved(touches, with: event) }

    /// Touches have ended; passed to `next` unless a subclass handles them.
    open func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) { next?.touchesEnded(touches, with: event) }

    /// The system has canceled touches, for example because the app became inactive; passed to `next`.
    open func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        next?.touchesCancelled(touches, with: event)
    }

    // MARK: Presses

    /// Keys were pressed; passed to `next` unless a subclass handles them.
    open func pressesBegan(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        next?.pressesBegan(presses, with: event)
    }

    /// The force of presses has changed, which does not happen for keys; passed to `next`.
    open func pressesChanged(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        next?.pressesChanged(presses, with: event)
    }

    /// Keys were released; passed to `next` unless a subclass handles them.
    open func pressesEnded(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        next?.pressesEnded(presses, with: event)
    }

    /// The system has canceled presses; passed to `next`.
    open func pressesCancelled(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        next?.pressesCancelled(presses, with: event)
    }
}
