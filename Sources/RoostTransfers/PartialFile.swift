internal import CRoost
internal import Glibc
internal import LifeCycleModel
internal import RoostCarrier
internal import RoostPorts
internal import Synchronization

/// The partial file of one transfer. Its methods block, and are called in the order of a `SerialQueue`.
final class PartialFile: Sendable {
    /// The state that a transfer resumes from.
    struct Start: Hashable {
        var offset: Int64
        var validator: String?
        var expected: Int64?
        static let fromStart = Start(offset: 0, validator: nil, expected: nil)
    }

    private struct State {
        /// -1 while the file is not open.
        var descriptor: Int32 = -1
        /// The number of valid bytes, which is the offset of the next write.
        var length: Int64 = 0
        /// The offset up to which disk space was reserved, or checked.
        var reserved: Int64 = 0
        /// The length of the whole body; nil if unknown.
        var total: Int64?
        /// The first failure, after which nothing is written.
        var failure: SystemError?
        /// Whether written bytes may never have reached the disk.
        var isLost = false
    }

    private let id: TransferID
    private let files: PartialFiles
    private let ahead: Int64
    private let room: DiskRoom
    private let state = Mutex(State())

    init(_ id: TransferID, in files: PartialFiles, _ options: TransferOptions, room: DiskRoom) {
        self.id = id
        self.files = files
        ahead = options.reservedAhead
        self.room = room
    }

    deinit {
        let descriptor = state.withLock { $0.descriptor }
        if descriptor >= 0 { close(descriptor) }
    }

    private var path: String { files.path + "/" + PartialFiles.name(of: id) }

    /// Opens the existing file, and returns the offset from which the transfer can resume. Later bytes are cut off.
    func open(for checkpoint: TransferCheckpoint, bootID: String) throws(SystemError) -> Start {
        guard let validator = checkpoint.validator, files.version(of: id) ?? validator == validator else {
            return .fromStart
        }
        let descriptor = openat(
            files.descriptor, PartialFiles.name(of: id), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return .fromStart }
            throw .now("open a transfer's file", path)
        }
        state.withLock { state in
            if state.descriptor >= 0 { close(state.descriptor) }
            state.descriptor = descriptor
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .now("read the status of a transfer's file", path) }
        var offset = Int64(status.st_size)
        if checkpoint.boot != bootID {
            // Bytes after the checkpoint may never have reached the disk before the reboot, and may read as zeros.
            guard offset >= checkpoint.received else { return .fromStart }
            offset = checkpoint.received
        }
        // For a complete file, the last byte is requested again: the answer shows whether the version is unchanged, and
        // has the fields.
        if let expected = checkpoint.expected { offset = min(offset, max(0, expected - 1)) }
        guard offset > 0 else { return .fromStart }
        guard ftruncate(descriptor, off_t(offset)) == 0 else { throw .now("truncate a transfer's file", path) }
        state.withLock { ($0.length, $0.reserved) = (offset, offset) }
        return Start(offset: offset, validator: validator, expected: checkpoint.expected)
    }

    /// Empties the file for a new version, and reserves space for it. With `replaces`, the version is recorded, because
    /// an older checkpoint may name another version.
    func startOver(_ body: ExpectedBody, replacing replaces: Bool) throws(SystemError) {
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
            try lookForRoom(body.total ?? 0, in: descriptor)
            if body.total ?? 0 > Self.smallest { try makeRoom(upTo: 0) }
        } catch {
            throw fail(error)
        }
    }

    /// Resumes the file, with the total length; nil if the length is unknown.
    func goOn(to total: Int64?) { state.withLock { $0.total = total } }

    /// Throws `ENOSPC` if `count` more bytes would leave less than the required free space.
    private func lookForRoom(_ count: Int64, in descriptor: Int32) throws(SystemError) {
        guard room.grants(count, in: descriptor) else {
            throw SystemError(doing: "reserve space for a transfer's file", subject: path, errno: ENOSPC)
        }
    }

    /// Reserves disk space ahead of writes up to `end`. The amount is limited, so that a server's claim of a length
    /// alone cannot fill the disk.
    ///
    /// If the total length is unknown, space is only checked.
    private func makeRoom(upTo end: Int64) throws(SystemError) {
        let (descriptor, length, reserved, total) = state.withLock { ($0.descriptor, $0.length, $0.reserved, $0.total) }
        let step = total == nil ? Self.smallest : ahead
        guard descriptor >= 0, end + step / 2 > reserved, reserved < total ?? .max, total ?? .max > Self.smallest else {
            return
        }
        let (from, to) = (max(reserved, length), min(total ?? .max, end + step))
        guard from < to else { return }
        do throws(SystemError) {
            // In a memory filesystem there is no fragmentation to avoid, and reserved space would take memory at once.
            let isSetAside = total != nil && croost_is_in_memory(descriptor) == 0
            try lookForRoom(to - (isSetAside ? from : length), in: descriptor)
            if isSetAside {
                // The file's length must remain the number of written bytes, because the transfer resumes from it. A
                // filesystem that cannot reserve space this way is acceptable.
                let code = croost_reserve(descriptor, from, to - from)
                guard [0, EOPNOTSUPP, ENOSYS].contains(code) else {
                    throw SystemError(doing: "reserve space for a transfer's file", subject: path, errno: code)
                }
            }
            state.withLock { $0.reserved = to }
        } catch {
            giveBackRoom(descriptor, length)
            throw error
        }
    }

    /// Releases the space reserved beyond the file's end.
    private func giveBackRoom(_ descriptor: Int32, _ length: Int64) {
        _ = ftruncate(descriptor, off_t(length))
        state.withLock { $0.reserved = length }
    }

    /// The file size in bytes above which space is reserved. For smaller files it is only checked.
    private static let smallest: Int64 = 1 << 20

    private func makeEmpty() throws(SystemError) -> Int32 {
        let known = state.withLock { $0.descriptor }
        guard known < 0 else {
            guard ftruncate(known, 0) == 0 else { throw .now("truncate a transfer's file", path) }
            return known
        }
        let descriptor = openat(
            files.descriptor, PartialFiles.name(of: id),
            O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .now("create a transfer's file", path) }
        state.withLock { $0.descriptor = descriptor }
        return descriptor
    }

    /// Appends bytes. May block on the disk. Throws the first failure again at each later call.
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

    /// Records a failure, after which nothing is written.
    private func fail(_ error: SystemError) -> SystemError {
        state.withLock { $0.failure = error }
        return error
    }

    /// A duplicate descriptor for a sync while writes continue, and the length that will then be on disk; nil if there
    /// is nothing to sync. The caller closes the descriptor.
    func copyForSync() -> (descriptor: Int32, length: Int64)? {
        state.withLock { state in
            guard state.descriptor >= 0, state.failure == nil else { return nil }
            let copy = fcntl(state.descriptor, F_DUPFD_CLOEXEC, 0)
            return copy >= 0 ? (copy, state.length) : nil
        }
    }

    /// Records a failed sync. A retry would succeed, because the kernel reports each loss only once, so the existing
    /// bytes are invalid.
    func syncFailed(_ error: SystemError) {
        state.withLock { state in
            state.failure = error
            state.isLost = true
        }
    }

    /// Syncs and closes the file. Returns its length; nil after a failure.
    func park() -> Int64? {
        let (descriptor, length, isGood) = state.withLock { state in
            defer { state.descriptor = -1 }
            return (state.descriptor, state.length, !state.isLost && state.failure?.isRetryable ?? true)
        }
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        giveBackRoom(descriptor, length)
        guard isGood, fdatasync(descriptor) == 0, fsync(files.descriptor) == 0 else {
            return nil
        }
        return length
    }

    /// Syncs and closes the complete file of `size` bytes. After a failure, call `park`.
    func finish(size: Int64) throws(SystemError) {
        try checkLength(size)
        try finishButForDirectory()
        guard fsync(files.descriptor) == 0 else { throw syncFailure() }
    }

    /// Writes a short body as a whole, without an earlier checkpoint. `finishButForDirectory` must follow.
    ///
    /// A version from an earlier attempt remains. The old version can only prevent a resume, and is removed when the
    /// file is moved or deleted.
    func bring(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
        do throws(SystemError) {
            try lookForRoom(Int64(bytes.count), in: makeEmpty())
        } catch {
            throw fail(error)
        }
        state.withLock { $0.total = Int64(bytes.count) }
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
                    reason: "it has \(status.st_size) bytes instead of \(size): another program changed it"))
        }
    }

    /// Syncs and closes the file. The file is durable after a sync of the directory.
    func finishButForDirectory() throws(SystemError) {
        let (descriptor, failure) = state.withLock { ($0.descriptor, $0.failure) }
        if let failure { throw failure }
        guard fsync(descriptor) == 0 else { throw syncFailure() }
        close(descriptor)
        state.withLock { $0.descriptor = -1 }
    }

    private func syncFailure() -> SystemError {
        let error = SystemError.now("sync a transfer's file", path)
        syncFailed(error)
        return error
    }
}
