import Dispatch
import Foundation

/// An inotify watch that reports possible changes at the path of a socket. It watches the socket's directory or, if
/// that is missing, the nearest existing ancestor. It costs nothing while nothing changes.
@MainActor final class SocketWatch {
    private let path: String
    private let descriptor: Int32
    private let source: (any DispatchSourceRead)?
    private var watch: Int32 = -1

    /// Whether the watch exists. inotify instances and watches are limited resources, so creating one may fail.
    var isArmed: Bool { watch >= 0 }

    /// Calls `onChange` on the main thread whenever the socket at `path` may have changed.
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
                let isNews = drain()
                arm()
                if isNews { onChange() }
            }
        }
        source.setCancelHandler { close(descriptor) }
        source.activate()
        arm()
    }

    /// Stops watching.
    func cancel() { source?.cancel() }

    /// Reads all reported events. False if they only report the end of a watch.
    private func drain() -> Bool {
        var isNews = false
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return isNews }
            buffer.withUnsafeBytes { bytes in
                var offset = 0
                while offset < count {
                    let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                    if event.mask & UInt32(IN_IGNORED) == 0 { isNews = true }
                    offset += MemoryLayout<inotify_event>.size + Int(event.len)
                }
            }
        }
    }

    /// Watches the directory that matters now. If it is already watched, nothing changes: the kernel returns the same
    /// watch. Otherwise the old watch is removed, which the kernel reports as an event.
    private func arm() {
        // A directory may appear between the lookup and the watch: repeat until both agree.
        var directory = nearestDirectory()
        while true {
            let events = IN_CREATE | IN_MOVED_TO | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF
            let new = inotify_add_watch(descriptor, directory, UInt32(events))
            if watch >= 0, watch != new { inotify_rm_watch(descriptor, watch) }
            watch = new
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
