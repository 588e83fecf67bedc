import Dispatch
import Foundation

/// Tells when something may have changed at a path that a socket is to appear at: an inotify watch on its directory,
/// or, while that is missing, on the nearest directory above. Costs nothing while nothing happens.
@MainActor final class SocketWatch {
    private let path: String
    private let descriptor: Int32
    private let source: (any DispatchSourceRead)?
    private var watch: Int32 = -1

    /// Watches for the socket at `path`; tells nothing where inotify is not to be had.
    init(path: String, onChange: @escaping @MainActor () -> Void) {
        self.path = path
        let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        self.descriptor = descriptor
        guard descriptor >= 0 else {
            source = nil
            return
        }
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
        self.source = source
        source.setEventHandler { [unowned self] in
            MainActor.assumeIsolated {
                drain()
                arm()
                onChange()
            }
        }
        source.setCancelHandler { close(descriptor) }
        source.activate()
        arm()
    }

    /// Hears nothing more.
    func cancel() { source?.cancel() }

    private func drain() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while read(descriptor, &buffer, buffer.count) > 0 {}
    }

    private func arm() {
        // A directory may appear between the look and the watch: look again until both agree.
        var directory = nearestDirectory()
        while true {
            if watch >= 0 { inotify_rm_watch(descriptor, watch) }
            let events = IN_CREATE | IN_MOVED_TO | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF
            watch = inotify_add_watch(descriptor, directory, UInt32(events))
            let again = nearestDirectory()
            if again == directory { return }
            directory = again
        }
    }

    private func nearestDirectory() -> String {
        var directory = path
        repeat {
            guard let slash = directory.lastIndex(of: "/") else { return "." }
            directory = String(directory[..<slash])
            if directory.isEmpty { return "/" }
        } while access(directory, F_OK) != 0
        return directory
    }
}
