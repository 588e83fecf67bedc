internal import Glibc
internal import LifeCycleModel
internal import Synchronization

/// The free space of the disk of an engine's files. The filesystem is asked again after a tenth of a second, or once as
/// much has been granted as was free: asking for each short file would cost.
final class DiskRoom: Sendable {
    private struct State {
        /// The bytes that may still be granted.
        var free: Int64 = 0
        /// The end of the time for which `free` is valid.
        var until = SuspendingClock.now
    }

    private let roomLeft: Int64
    private let state = Mutex(State())

    /// `roomLeft` bytes of the disk stay free, or a twentieth of it if that is less.
    init(leaving roomLeft: Int64) { self.roomLeft = roomLeft }

    /// Grants bytes of the filesystem of an open file. False if they would not leave enough room.
    func grants(_ count: Int64, in descriptor: Int32) -> Bool {
        let now = SuspendingClock.now
        let isKnown = state.withLock { state in
            guard now < state.until, count <= state.free else { return false }
            state.free -= count
            return true
        }
        if isKnown { return true }
        guard let free = free(in: descriptor) else { return true }
        return state.withLock { state in
            state = State(free: max(0, free - count), until: now + .milliseconds(100))
            return free >= count
        }
    }

    /// The bytes that are free beyond those that are left; nil if the filesystem does not say.
    private func free(in descriptor: Int32) -> Int64? {
        var room = statvfs()
        guard fstatvfs(descriptor, &room) == 0, room.f_blocks > 0 else { return nil }
        let unit = Int64(clamping: room.f_frsize)
        let (free, overflow) = Int64(clamping: room.f_bavail).multipliedReportingOverflow(by: unit)
        let left = min(roomLeft, Int64(clamping: room.f_blocks).multipliedReportingOverflow(by: unit).partialValue / 20)
        return overflow ? .max : max(0, free - left)
    }
}
