import LifeCycleModel
import RoostPorts

/// The progress of each transfer under way, from the carriers' reports. For the loop's thread only.
struct ProgressBoard {
    private struct Entry {
        var received: Int64
        var expected: Int64?
        /// Samples of the last seconds, oldest first.
        var samples: [(at: Nanoseconds, received: Int64)]
    }

    /// The time over which a rate is measured.
    private static let window = Nanoseconds.seconds(5)

    private var entries: [TransferID: Entry] = [:]

    /// Adds a transfer that begins or resumes with `received` bytes on disk.
    mutating func begin(_ id: TransferID, received: Int64, expected: Int64?, at now: Nanoseconds) {
        entries[id] = Entry(received: received, expected: expected, samples: [(at: now, received: received)])
    }

    /// Updates a transfer to `received` bytes in all.
    mutating func note(_ id: TransferID, received: Int64, at now: Nanoseconds) {
        guard var entry = entries.removeValue(forKey: id) else { return }
        entry.received = received
        // One sample older than the window stays, as the base of the rate.
        while entry.samples.count > 1, entry.samples[1].at < now - Self.window { entry.samples.removeFirst() }
        entry.samples.append((at: now, received: received))
        entries[id] = entry
    }

    /// Removes a transfer that has ended.
    mutating func end(_ id: TransferID) { entries[id] = nil }

    /// The progress of all transfers under way.
    func progress(at now: Nanoseconds) -> [TransferID: TransferProgress] {
        entries.mapValues { entry in
            TransferProgress(received: entry.received, expected: entry.expected, rate: Self.rate(of: entry, at: now))
        }
    }

    /// The rate in bytes per second, over the window.
    private static func rate(of entry: Entry, at now: Nanoseconds) -> Int64 {
        let first = entry.samples.last { $0.at <= now - window } ?? entry.samples[0]
        let millionths = (now - first.at).rawValue / 1000
        let bytes = entry.received - first.received
        guard millionths > 0, bytes > 0 else { return 0 }
        // A carrier may report any number.
        return Int64(exactly: (Double(bytes) * 1_000_000 / Double(millionths)).rounded(.down)) ?? .max
    }
}
