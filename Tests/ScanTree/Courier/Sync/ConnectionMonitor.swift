import Foundation
import Network

final class ConnectionMonitor {
    private let monitor = NWPathMonitor()

    func start(_ changed: @escaping (Bool) -> Void) {
        monitor.pathUpdateHandler = { path in changed(path.status == .satisfied) }
        monitor.start(queue: .main)
    }
}
