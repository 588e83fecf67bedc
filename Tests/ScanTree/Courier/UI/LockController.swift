import UIKit

/// Covers the app while it is in the background.
class LockController: UIViewController {
    private(set) var hasAppeared = false

    override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .systemBackground
    }

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        hasAppeared = true
    }
}
