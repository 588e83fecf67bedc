import Foundation
import LifeCycleModel
import SoundHeaders

/// The length of a sound, from its header.
enum PCMSound {
    static func length(of url: URL) throws -> Nanoseconds {
        guard url.isFileURL else {
            throw AudioError.make(AudioError.noFile, "\(url) is no file: download it first.")
        }
        let type = try? FileManager.default.attributesOfItem(atPath: url.resolvingSymlinksInPath().path)[.type]
        // The read of a pipe might never end.
        guard type as? FileAttributeType == .typeRegular else {
            throw AudioError.make(AudioError.noFile, "The sound \(url.path) is no file, or does not exist.")
        }
        let head: Data
        let size: UInt64
        do {
            let file = try FileHandle(forReadingFrom: url)
            defer { try? file.close() }
            size = try file.seekToEnd()
            try file.seek(toOffset: 0)
            head = try file.read(upToCount: SoundHeader.longest) ?? Data()
        } catch {
            throw AudioError.make(
                AudioError.noFile, "The sound \(url.path) cannot be read: \(error.localizedDescription)")
        }
        return try length(of: head, size: Int64(clamping: size), name: url.path)
    }

    static func length(of data: Data) throws -> Nanoseconds {
        try length(of: data.prefix(SoundHeader.longest), size: Int64(data.count), name: "in the data")
    }

    private static func length(of head: Data, size: Int64, name: String) throws -> Nanoseconds {
        switch SoundHeader.read(Array(head), size: size) {
        case .sound(.linearPCM, let length): return length
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
