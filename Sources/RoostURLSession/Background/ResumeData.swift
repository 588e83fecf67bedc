import Foundation
import LifeCycleModel

/// What a later task goes on with: which of the app's tasks, and of which version of the file so much has arrived.
struct ResumeData: Hashable, Codable, Sendable {
    private static let version = 1

    private var version = Self.version
    let task: TransferID
    let request: TransferRequest
    let received: Int64
    let validator: String

    /// Nil where nothing is kept, or the server could not tell whether its file is still the same.
    init?(_ task: TransferID, _ request: TransferRequest, _ checkpoint: TransferCheckpoint?) {
        guard let checkpoint, checkpoint.received > 0, let validator = checkpoint.validator else { return nil }
        self.task = task
        self.request = request
        received = checkpoint.received
        self.validator = validator
    }

    /// Reads it; nil where it is garbled, or of another kind.
    init?(_ data: Data) {
        guard let read = try? PropertyListDecoder().decode(Self.self, from: data), read.version == Self.version else {
            return nil
        }
        self = read
    }

    /// A property list; opaque to the app.
    var data: Data? {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        return try? encoder.encode(self)
    }
}
