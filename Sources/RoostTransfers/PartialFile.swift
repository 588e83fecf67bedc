internal import CRoost
internal import Glibc
internal import LifeCycleModel
internal import RoostCarrier
internal import RoostPorts
internal import Synchronization

/// What has arrived of one transfer, on disk. Its methods block: they are called in the order of a `SerialQueue`.
final class PartialFile: Sendable {
    /// What a transfer may go on from.
    struct Start: Hashable {
        var offset: Int64
        var validator: String?
        var expected: Int64?
        static let anew = Start(offset: 0, validator: nil, expected: nil)
    }

    private struct State {
        /// -1 while it is not open.
        var descriptor: Int32 = -1
        /// So many bytes of it are good: where the next ones go.
        var length: Int64 = 0
        /// Room has been set aside, or looked for, up to here.
        var reserved: Int64 = 0
        /// The whole length, where it is known.
        var total: Int64?
        /// Where a failure has come, nothing is written any more.
        var failure: SystemError?
        /// What was written may never have reached the disk.
        var isLost = false
    }

    private let id: TransferID
    private let files: PartialFiles
    private let ahead: Int64
    private let roomLeft: Int64
    private let state = Mutex(State())

    init(_ id: TransferID, in files: PartialFiles, _ options: TransferOptions) {
        self.id = id
        self.files = files
        ahead = options.reservedAhead
        roomLeft = options.roomLeft
    }

    deinit {
        let descriptor = state.withLock { $0.descriptor }
        if descriptor >= 0 { close(descriptor) }
    }

    private var path: String { files.path + "/" + PartialFiles.name(of: id) }

    /// Opens what there is and tells from where on it can be gone on with. What is beyond is cut off.
    func open(for checkpoint: TransferCheckpoint, bootID: String) throws(SystemError) -> Start {
        guard let validator = checkpoint.validator, files.version(of: id) ?? validator == validator else {
            return .anew
        }
        let descriptor = openat(
            files.descriptor, PartialFiles.name(of: id), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return .anew }
            throw .now("open a transfer's file", path)
        }
        state.withLock { state in
            if state.descriptor >= 0 { close(state.descriptor) }
            state.descriptor = descriptor
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .now("look at a transfer's file", path) }
        var offset = Int64(status.st_size)
        if checkpoint.boot != bootID {
            // What came after the checkpoint may never have reached the disk, and read as zeros now.
            guard offset >= checkpoint.received else { return .anew }
            offset = checkpoint.received
        }
        // A whole file is asked for its last byte: that tells whether it is still the same, and brings the fields.
        if let expected = checkpoint.expected { offset = min(offset, max(0, expected - 1)) }
        guard offset > 0 else { return .anew }
        guard ftruncate(descriptor, off_t(offset)) == 0 else { throw .now("shorten a transfer's file", path) }
        state.withLock { ($0.length, $0.reserved) = (offset, offset) }
        return Start(offset: offset, validator: validator, expected: checkpoint.expected)
    }

    /// Empties it for a version to be taken from its beginning, with room for all of it. `replaces` where an older
    /// checkpoint may name another version.
    func beginAnew(_ body: ExpectedBody, replacing replaces: Bool) throws(SystemError) {
        do throws(SystemError) {
            if replaces {
                try files.setVersion(body.validator ?? "", of: id)
            } else {
                files.forgetVersion(of: id)
            }
            let descriptor = try makeEmpty()
            state.withLock { state in
                state.length = 0
                state.reserved = 0
                state.total = body.total
            }
            if let total = body.total, total > Self.smallest {
                try lookForRoom(total, in: descriptor)
                try makeRoom(upTo: 0)
            }
        } catch {
            throw fail(error)
        }
    }

    /// It is gone on with, up to so many bytes where that is known.
    func goOn(to total: Int64?) { state.withLock { $0.total = total } }

    /// Whether there is room for so many bytes more, and the store keeps its own.
    private func lookForRoom(_ count: Int64, in descriptor: Int32) throws(SystemError) {
        var room = statvfs()
        guard fstatvfs(descriptor, &room) == 0, room.f_blocks > 0 else { return }
        let unit = Int64(clamping: room.f_frsize)
        let (free, overflow) = Int64(clamping: room.f_bavail).multipliedReportingOverflow(by: unit)
        let left = min(roomLeft, Int64(clamping: room.f_blocks).multipliedReportingOverflow(by: unit).partialValue / 20)
        guard overflow || free - count >= left else {
            throw SystemError(doing: "find room for a transfer's file", subject: path, errno: ENOSPC)
        }
    }

    /// Sets room aside ahead of what is written up to `end`, little enough that a server's word alone fills no disk.
    ///
    /// Where the whole length is not known, room is only looked for.
    private func makeRoom(upTo end: Int64) throws(SystemError) {
        let (descriptor, length, reserved, total) = state.withLock { ($0.descriptor, $0.length, $0.reserved, $0.total) }
        let step = total == nil ? Self.smallest : ahead
        guard descriptor >= 0, end + step / 2 > reserved, reserved < total ?? .max, total ?? end > Self.smallest else {
            return
        }
        let (from, to) = (max(reserved, length), min(total ?? .max, end + step))
        guard from < to else { return }
        do throws(SystemError) {
            // In memory there is nothing to keep together, and what is set aside is taken from everybody at once.
            let isSetAside = total != nil && croost_is_in_memory(descriptor) == 0
            try lookForRoom(to - (isSetAside ? from : length), in: descriptor)
            if isSetAside {
                // The length stays what was written, so that it can be resumed by. A filesystem that can't is as good.
                let code = croost_reserve(descriptor, from, to - from)
                guard [0, EOPNOTSUPP, ENOSYS].contains(code) else {
                    throw SystemError(doing: "set room aside for a transfer's file", subject: path, errno: code)
                }
            }
            state.withLock { $0.reserved = to }
        } catch {
            giveBackRoom(descriptor, length)
            throw error
        }
    }

    /// What was set aside beyond the file's end is for others.
    private func giveBackRoom(_ descriptor: Int32, _ length: Int64) {
        _ = ftruncate(descriptor, off_t(length))
        state.withLock { $0.reserved = length }
    }

    /// Room is set aside for files longer than this.
    private static let smallest: Int64 = 1 << 20

    private func makeEmpty() throws(SystemError) -> Int32 {
        let known = state.withLock { $0.descriptor }
        guard known < 0 else {
            guard ftruncate(known, 0) == 0 else { throw .now("empty a transfer's file", path) }
            return known
        }
        let descriptor = openat(
            files.descriptor, PartialFiles.name(of: id),
            O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .now("make a transfer's file", path) }
        state.withLock { $0.descriptor = descriptor }
        return descriptor
    }

    /// Writes at its end.
    func append(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
        var (descriptor, length, failure) = state.withLock { ($0.descriptor, $0.length, $0.failure) }
        if let failure { throw failure }
        do throws(SystemError) { try makeRoom(upTo: length + Int64(bytes.count)) } catch { throw fail(error) }
        defer { state.withLock { $0.length = length } }
        var rest = bytes
        while !rest.isEmpty {
            let count = pwrite(descriptor, rest.baseAddress, rest.count, off_t(length))
            if count < 0 {
                guard errno != EINTR else { continue }
                throw fail(.now("write a transfer's file", path))
            }
            length += Int64(count)
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    /// From now on nothing is written any more.
    private func fail(_ error: SystemError) -> SystemError {
        state.withLock { $0.failure = error }
        return error
    }

    /// A descriptor for syncing it while it is written on, and what will then be on disk; the caller's to close.
    func copyForSync() -> (descriptor: Int32, length: Int64)? {
        state.withLock { state in
            guard state.descriptor >= 0, state.failure == nil else { return nil }
            let copy = fcntl(state.descriptor, F_DUPFD_CLOEXEC, 0)
            return copy >= 0 ? (copy, state.length) : nil
        }
    }

    /// A sync of it has failed. The next one would succeed, as the kernel tells each loss once: what is there is no good.
    func syncFailed(_ error: SystemError) {
        state.withLock { state in
            state.failure = error
            state.isLost = true
        }
    }

    /// Brings what there is to the disk and closes it: how much there is, or nil where that could not be done.
    func park() -> Int64? {
        let (descriptor, length, isGood) = state.withLock { state in
            defer { state.descriptor = -1 }
            return (state.descriptor, state.length, !state.isLost && state.failure?.mayPass ?? true)
        }
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        giveBackRoom(descriptor, length)
        guard isGood, fdatasync(descriptor) == 0, fsync(files.descriptor) == 0 else {
            return nil
        }
        return length
    }

    /// Brings it to the disk as a whole of `size` bytes, and closes it; where that fails, it is to be parked.
    func finish(size: Int64) throws(SystemError) {
        try checkLength(size)
        try finishButForDirectory()
        guard fsync(files.descriptor) == 0 else { throw syncFailure() }
    }

    /// Writes a short body that has arrived as a whole, with no checkpoint before it. `finishButForDirectory` has to follow.
    ///
    /// A version that an earlier attempt left stays: it can only keep bytes from being resumed, and goes when the file is moved
    /// or deleted.
    func bring(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
        do throws(SystemError) { _ = try makeEmpty() } catch { throw fail(error) }
        try append(bytes)
    }

    private func checkLength(_ size: Int64) throws(SystemError) {
        let descriptor = state.withLock { $0.failure == nil ? $0.descriptor : -1 }
        guard descriptor >= 0 else { return }
        var status = stat()
        guard fstat(descriptor, &status) == 0, Int64(status.st_size) == size else {
            throw fail(
                SystemError(
                    doing: "write a transfer's file", subject: path, errno: EIO,
                    reason: "it has \(status.st_size) bytes instead of \(size): somebody else has changed it"))
        }
    }

    /// Brings it to the disk and closes it. It is there for good once the directory has been synced.
    func finishButForDirectory() throws(SystemError) {
        let (descriptor, failure) = state.withLock { ($0.descriptor, $0.failure) }
        if let failure { throw failure }
        guard fsync(descriptor) == 0 else { throw syncFailure() }
        close(descriptor)
        state.withLock { $0.descriptor = -1 }
    }

    private func syncFailure() -> SystemError {
        let error = SystemError.now("bring a transfer's file to the disk", path)
        syncFailed(error)
        return error
    }
}
