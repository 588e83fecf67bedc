internal import CRoost
internal import Glibc
internal import LifeCycleModel

/// An order to get a duplicate of an app's socket.
struct SocketTake: Sendable {
    /// The number among the takes, from 1.
    let number: Int64
    /// The launch that has the socket.
    let launch: LaunchID
    /// The socket, as the app names it.
    let socket: KeptSocket

    /// Gets the duplicate from the process with this pidfd, which is closed. May take arbitrarily long.
    func perform(on pidfd: Int32, reportingTo results: SocketResults) {
        var descriptor: Int32 = -1
        let code = croost_pidfd_getfd(pidfd, socket.descriptor, &descriptor)
        close(pidfd)
        guard code == 0 else { return results.post(self, .failed(code == EBADF ? .notOpen : .unavailable)) }
        let failure: SocketFailure
        if let found = self.failure(of: descriptor) {
            failure = found
        } else if let duplicate = SocketDuplicate(of: descriptor) {
            return results.post(self, .taken(duplicate))
        } else {
            failure = .unavailable
        }
        // The app is answered first, because the closing may hang.
        results.post(self, .failed(failure))
        croost_close_passed([descriptor], 1)
    }

    /// Why the duplicate cannot be watched as this socket.
    private func failure(of duplicate: Int32) -> SocketFailure? {
        let found = croost_examine_tcp(duplicate)
        if found.is_tcp == 0 { return .notTCP }
        if found.cookie != UInt64(bitPattern: socket.id.rawValue) { return .notOpen }
        return found.is_connected != 0 ? nil : .notConnected
    }
}

/// Work on an app's socket that may take arbitrarily long.
enum SocketJob: Sendable {
    /// Get a duplicate from the process with this pidfd, and close the pidfd.
    case take(SocketTake, pidfd: Int32)
    case close(SocketDuplicate)

    /// Does the work.
    func perform(reportingTo results: SocketResults) {
        switch self {
        case .take(let take, let pidfd): take.perform(on: pidfd, reportingTo: results)
        case .close(let duplicate): duplicate.close()
        }
    }

    /// The work is not done. A duplicate remains open.
    func cancel() { if case .take(_, let pidfd) = self { Glibc.close(pidfd) } }

    /// The duplicate that is to be closed.
    var duplicate: SocketDuplicate? { if case .close(let duplicate) = self { duplicate } else { nil } }

    /// Whether this is the take with this number.
    func isTake(_ number: Int64) -> Bool { if case .take(let take, _) = self { take.number == number } else { false } }
}
