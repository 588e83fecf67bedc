// swift-format-ignore-file
import UIKit

class ViewController: UIViewController {

    override func viewDidLoad() {
        super.viewDidLoad()
        // Further set-up after the view was loaded goes here.
    }


}

