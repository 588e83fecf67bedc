import Foundation
import LifeCycleModel

/// A downloaded file on its way to the delegate.
///
/// An app that moves the file away and dies before its delegate has returned is told again when it is launched anew: the file
/// has to be there again. So it has a second name while the delegate has it. One that dies after that, and before the system
/// has heard so, is not told again, and not of a loss either: what was delivered is marked, until the system forgets it.
///
/// ```
///   there ──prepare──▶ there, kept ──the delegate returns──▶ delivered ──acknowledged──▶ nothing
/// ```
struct KeptFile: Sendable {
    enum State: Hashable {
        /// It is there, as it came.
        case there
        /// An earlier launch's delegate has had it, to the end.
        case delivered
        case lost
    }

    let location: URL
    private var second: URL { location.appendingSuffix(TransferRecord.keptSuffix) }
    private var mark: URL { location.appendingSuffix(TransferRecord.deliveredSuffix) }

    /// Sees to it that the file is there.
    func prepare() -> State {
        let files = FileManager.default
        if files.fileExists(atPath: mark.path) {
            remove()
            return .delivered
        }
        if files.fileExists(atPath: second.path) {
            // It was with the delegate of a launch that has ended since.
            if !files.fileExists(atPath: location.path) { _ = link(second.path, location.path) }
        } else {
            // Where this is not possible, it is as it is on Apple's platforms.
            _ = link(location.path, second.path)
        }
        return files.fileExists(atPath: location.path) ? .there : .lost
    }

    /// The delegate has returned: what it has not taken goes. The mark goes when the system discards the download.
    func finish() {
        let descriptor = open(mark.path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        if descriptor >= 0 {
            close(descriptor)
        } else {
            // Without room for a mark: what is there already is one.
            rename(second.path, mark.path)
        }
        remove()
    }

    private func remove() {
        unlink(location.path)
        unlink(second.path)
    }
}

extension URL {
    fileprivate func appendingSuffix(_ suffix: String) -> URL {
        deletingLastPathComponent().appendingPathComponent(lastPathComponent + suffix)
    }
}
