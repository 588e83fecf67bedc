import UIKit

/// Prints its life cycle and, through its view, the user's input.
class ViewController: UIViewController {

    override func loadView() { view = Page(frame: UIScreen.main.bounds) }

    override func viewDidLoad() {
        super.viewDidLoad()
        say(#function)
    }

    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        say(#function)
    }

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        say(#function)
        // Typed text goes to the first responder.
        view.becomeFirstResponder()
    }

    override func didReceiveMemoryWarning() {
        super.didReceiveMemoryWarning()
        say(#function)
    }
}

/// A view that accepts touches and text.
class Page: UIView, UIKeyInput {

    private var text = ""

    override var canBecomeFirstResponder: Bool { true }

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) { report(touches, #function) }

    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) { report(touches, #function) }

    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) { report(touches, #function) }

    private func report(_ touches: Set<UITouch>, _ what: String) {
        for touch in touches {
            let place = touch.location(in: self)
            say(what, "at=\(place.x),\(place.y)")
        }
    }

    // MARK: UIKeyInput

    var hasText: Bool { !text.isEmpty }

    func insertText(_ text: String) {
        self.text += text
        say(#function, "text=\(self.text.debugDescription)")
    }

    func deleteBackward() {
        _ = text.popLast()
        say(#function, "text=\(text.debugDescription)")
    }
}
