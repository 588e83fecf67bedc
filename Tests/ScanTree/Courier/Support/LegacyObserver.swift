import UIKit

final class LegacyObserver: NSObject {
    override init() {
        super.init()
        NotificationCenter.default.addObserver(
            self, selector: #selector(synced), name: .parcelsDidSync, object: nil)
    }

    @objc private func synced() { log("synced") }
}
