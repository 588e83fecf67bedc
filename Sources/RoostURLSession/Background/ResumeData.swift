import Foundation
import LifeCycleModel

/// The content of resume data: the app's task, its received bytes, and the file's version.
struct ResumeData: Hashable, Codable, Sendable {
    private static let version = 1

    private var version = Self.version
    let task: TransferID
    let request: TransferRequest
    let received: Int64
    let validator: String

    /// Nil if no bytes are kept, or if the server did not identify the file's version.
    init?(_ task: TransferID, _ request: TransferRequest, _ checkpoint: TransferCheckpoint?) {
        guard let checkpoint, checkpoint.received > 0, let validator = checkpoint.validator else { return nil }
        self.task = task
        self.request = request
        received = checkpoint.received
        self.validator = validator
    }

    /// Reads resume data; nil if it is invalid or of another version.
    init?(_ data: Data) {
        guard let read = try? PropertyListDecoder().decode(Self.self, from: data), read.version == Self.version else {
            return nil
        }
        self = read
    }

    /// The encoded property list, opaque to the app; nil if encoding fails.
    var data: Data? {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        return try? encoder.encode(self)
    }
}
