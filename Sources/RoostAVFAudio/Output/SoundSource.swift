import Foundation
import LifeCycleModel
import SoundHeaders
import Synchronization

/// The content of a sound file, and its volume. Any thread.
final class SoundSource: Sendable {
    private enum Content {
        case file(Int32)
        case memory(Data)
    }

    let length: Nanoseconds
    /// The form of the samples; nil if it is not known. Such a sound takes its time, and is not audible.
    let layout: PCMLayout?
    private let content: Content
    private let loudness = Atomic<UInt32>(Float(1).bitPattern)

    /// Opens a file. It stays open, so that it can be moved while it plays.
    init(of url: URL) throws {
        guard url.isFileURL else {
            throw AudioError.make(AudioError.noFile, "\(url) is no file: download it first.")
        }
        // The open of a pipe must not wait for a writer.
        let file = open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else {
            let reason = String(cString: strerror(errno))
            throw AudioError.make(AudioError.noFile, "The sound \(url.path) cannot be read: \(reason).")
        }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(file)
            throw AudioError.make(AudioError.noFile, "The sound \(url.path) is no file.")
        }
        content = .file(file)
        let head = Self.read(file, SoundHeader.longest, at: 0)
        do {
            (length, layout) = try Self.parse(head, size: Int64(status.st_size), name: url.path)
        } catch {
            close(file)
            throw error
        }
    }

    /// The content of a file.
    init(of data: Data) throws {
        content = .memory(data)
        let head = Array(data.prefix(SoundHeader.longest))
        (length, layout) = try Self.parse(head, size: Int64(data.count), name: "in the data")
    }

    deinit { if case .file(let file) = content { close(file) } }

    /// The volume from 0 to 1.
    var volume: Float {
        get { Float(bitPattern: loudness.load(ordering: .relaxed)) }
        set { loudness.store(newValue.bitPattern, ordering: .relaxed) }
    }

    /// The bytes at a place; fewer if the content ends there.
    func read(_ count: Int, at offset: Int64) -> [UInt8] {
        switch content {
        case .file(let file): return Self.read(file, count, at: offset)
        case .memory(let data):
            let start = Int(min(max(0, offset), Int64(data.count)))
            return Array(data.dropFirst(start).prefix(max(0, count)))
        }
    }

    private static func read(_ file: Int32, _ count: Int, at offset: Int64) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: max(0, count)) { buffer, filled in
            filled = 0
            while filled < count {
                let read = pread(file, buffer.baseAddress.map { $0 + filled }, count - filled, off_t(offset) + filled)
                if read < 0, errno == EINTR { continue }
                guard read > 0 else { return }
                filled += read
            }
        }
    }

    private static func parse(_ head: [UInt8], size: Int64, name: String) throws -> (Nanoseconds, PCMLayout?) {
        switch SoundHeader.read(head, size: size) {
        case .sound(.linearPCM, let length): return (length, SoundHeader.layout(head, size: size))
        case .sound:
            throw AudioError.make(
                AudioError.dataFormat, "The sound \(name) is compressed: convert it to linear PCM.")
        case .missing, .unreadable:
            throw AudioError.make(
                AudioError.fileType,
                "The sound \(name) is no intact WAV, AIFF or CAF file: convert it to one of them, with linear PCM.")
        }
    }
}
