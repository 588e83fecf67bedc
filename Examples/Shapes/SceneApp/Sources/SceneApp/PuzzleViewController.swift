import UIKit

class PuzzleViewController: UIViewController {

    let game: PuzzleGame

    init(game: PuzzleGame) {
        self.game = game
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) {
        fatalError("init(coder:) has not been implemented")
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .systemBackground
    }

    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        game.move()
    }
}
