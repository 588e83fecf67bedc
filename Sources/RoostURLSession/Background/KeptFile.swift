import Foundation
import LifeCycleModel

/// A downloaded file during its delivery to the delegate.
///
/// An app may move the file away and die before its delegate has returned. Its next launch receives the file again, so
/// the file must still exist. Therefore the file has a second link while the delegate uses it.
///
/// An app may also die after its delegate has returned, but before the system has received the acknowledgment. The next
/// launch then receives neither the file nor an error, because a mark records the delivery until the system discards
/// the download.
///
/// ```
///   there ──prepare──▶ there, kept ──the delegate returns──▶ delivered ──acknowledged──▶ nothing
/// ```
struct KeptFile: Sendable {
    enum State: Hashable {
        /// The file exists and was not delivered.
        case there
        /// The delegate of an earlier launch has received the file, and its call has returned.
        case delivered
        case lost
    }

    let location: URL
    private var second: URL { location.appendingSuffix(TransferRecord.keptSuffix) }
    private var mark: URL { location.appendingSuffix(TransferRecord.deliveredSuffix) }

    /// Makes the file available at its location.
    func prepare() -> State {
        let files = FileManager.default
        if files.fileExists(atPath: mark.path) {
            remove()
            return .delivered
        }
        if files.fileExists(atPath: second.path) {
            // An earlier launch ended while its delegate had the file.
            if !files.fileExists(atPath: location.path) { _ = link(second.path, location.path) }
        } else {
            // If the link fails, the file is not protected, as on Apple's platforms.
            _ = link(location.path, second.path)
        }
        return files.fileExists(atPath: location.path) ? .there : .lost
    }

    /// Called when the delegate has returned: deletes the links that the delegate has not moved. The system
    /// deletes the mark with the download.
    func finish() {
        let descriptor = open(mark.path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        if descriptor >= 0 {
            close(descriptor)
        } else {
            // No mark could be created, for example on a full disk: turn the second link into the mark.
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
