import Foundation
import LifeCycleModel

/// The conversion of user input into events, and their delivery.
///
/// An event passes through `UIApplication.sendEvent(_:)`, which an app's subclass may override, then through
/// `UIWindow.sendEvent(_:)`. It reaches the view under the touch or the first responder, then the responder chain.
@MainActor enum EventDelivery {
    /// Sends user input to the application. A tap is a touch that begins and a touch that ends. Each character of a
    /// text is a key that is pressed and released.
    static func perform(_ input: UserInput, by application: UIApplication) {
        switch input {
        case .touch(let x, let y):
            tap(at: CGPoint(x: Double(x) / 1000, y: Double(y) / 1000), by: application)
        case .text(let text):
            for character in text { type(String(character), by: application) }
        }
    }

    private static func tap(at place: CGPoint, by application: UIApplication) {
        let window = WindowList.shared.window(at: place)
        let view = window.flatMap { $0.hitTest($0.convert(fromScreen: place), with: nil) }
        let touch = UITouch(at: place, window: window, view: view, timestamp: now)
        application.sendEvent(UIEvent(touches: [touch], timestamp: touch.timestamp))
        touch.phase = .ended
        touch.timestamp = now
        application.sendEvent(UIEvent(touches: [touch], timestamp: touch.timestamp))
    }

    private static func type(_ characters: String, by application: UIApplication) {
        let window = WindowList.shared.key
        let press = UIPress(
            key: UIKey(characters: characters), window: window, responder: window?.firstResponder ?? window,
            timestamp: now)
        application.sendEvent(UIPressesEvent(presses: [press], timestamp: press.timestamp))
        press.phase = .ended
        press.timestamp = now
        application.sendEvent(UIPressesEvent(presses: [press], timestamp: press.timestamp))
    }

    private static var now: TimeInterval { ProcessInfo.processInfo.systemUptime }

    // MARK: The last step

    /// Delivers the touches in a window (nil: in no window) to their views, or to `fallback` if they have no view.
    static func deliver(_ event: UIEvent, in window: UIWindow?, fallback: UIResponder? = nil) {
        let touches = (event.allTouches ?? []).filter { $0.window === window }
        for (responder, group) in grouped(touches, by: { $0.view ?? fallback }) {
            for (phase, touches) in grouped(group, by: \.phase) {
                let touches = Set(touches)
                switch phase {
                case .began: responder.touchesBegan(touches, with: event)
                case .moved: responder.touchesMoved(touches, with: event)
                case .stationary: break
                case .ended: responder.touchesEnded(touches, with: event)
                case .cancelled: responder.touchesCancelled(touches, with: event)
                }
            }
        }
    }

    /// Delivers an event's presses to a responder. After a key press, a responder that accepts text also gets the
    /// character.
    static func deliver(_ event: UIPressesEvent, to responder: UIResponder) {
        for (phase, presses) in grouped(event.allPresses, by: \.phase) {
            let set = Set(presses)
            switch phase {
            case .began:
                responder.pressesBegan(set, with: event)
                guard let input = responder as? any UIKeyInput else { break }
                for key in presses.compactMap(\.key) {
                    switch key.characters {
                    case "\u{8}", "\u{7f}": input.deleteBackward()
                    default: input.insertText(key.characters)
                    }
                }
            case .changed: responder.pressesChanged(set, with: event)
            case .stationary: break
            case .ended: responder.pressesEnded(set, with: event)
            case .cancelled: responder.pressesCancelled(set, with: event)
            }
        }
    }

    /// The elements grouped by key, without the elements that have no key. Here an event has only one touch or press.
    private static func grouped<Element, Key: Hashable>(
        _ elements: some Collection<Element>, by key: (Element) -> Key?
    ) -> [Key: [Element]] {
        var groups: [Key: [Element]] = [:]
        for element in elements {
            if let key = key(element) { groups[key, default: []].append(element) }
        }
        return groups
    }
}
