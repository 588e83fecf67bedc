// swift-format-ignore-file
import UIKit

class ViewController: UIViewController {

    override func viewDidLoad() {
        super.viewDidLoad()
        // Set up the view after it was loaded here.
    }


}

