package import LifeCycleModel
package import RoostPorts
internal import Synchronization

/// How far each transfer under way is: written by the event loop, read by whoever asks.
package final class ProgressBoard: Sendable {
    private struct Entry {
        var received: Int64
        var expected: Int64?
        /// Readings of the last seconds, the oldest first.
        var samples: [(at: Nanoseconds, received: Int64)]
    }

    package init() {}

    /// Over how long a rate is taken.
    private static let window = Nanoseconds.seconds(5)

    private let entries = Mutex<[TransferID: Entry]>([:])

    /// It begins, or begins again, with so much there already.
    package func begin(_ id: TransferID, received: Int64, expected: Int64?, at now: Nanoseconds) {
        entries.withLock {
            $0[id] = Entry(received: received, expected: expected, samples: [(at: now, received: received)])
        }
    }

    package func note(_ id: TransferID, received: Int64, at now: Nanoseconds) {
        entries.withLock { entries in
            guard var entry = entries.removeValue(forKey: id) else { return }
            entry.received = received
            // One that is older than the window stays: the rate is taken from there.
            while entry.samples.count > 1, entry.samples[1].at < now - Self.window { entry.samples.removeFirst() }
            entry.samples.append((at: now, received: received))
            entries[id] = entry
        }
    }

    package func end(_ id: TransferID) {
        _ = entries.withLock { $0.removeValue(forKey: id) }
    }

    package func progress(at now: Nanoseconds) -> [TransferID: TransferProgress] {
        entries.withLock { entries in
            entries.mapValues { entry in
                TransferProgress(
                    received: entry.received, expected: entry.expected, rate: Self.rate(of: entry, at: now))
            }
        }
    }

    private static func rate(of entry: Entry, at now: Nanoseconds) -> Int64 {
        let first = entry.samples.last { $0.at <= now - window } ?? entry.samples[0]
        let millionths = (now - first.at).rawValue / 1000
        let bytes = entry.received - first.received
        guard millionths > 0, bytes > 0 else { return 0 }
        return Int64(Double(bytes) * 1_000_000 / Double(millionths))
    }
}
