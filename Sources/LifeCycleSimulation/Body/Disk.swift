import LifeCycleModel
import LifeCyclePolicy

/// The committed records of a virtual store.
struct Disk: Hashable, Sendable {
    var device = DeviceRecord()
    /// Sorted by app number, for binary search: most events change one record of many.
    private(set) var apps: [AppRecord] = []
    /// Sorted by launch.
    private(set) var launches: [LaunchRecord] = []
    /// Sorted by subject.
    private var entries: [Entry] = []

    private struct Entry: Hashable {
        let subject: RecordSubject
        let record: ConcernRecord
    }

    /// In the order of their subjects.
    var concerns: [ConcernRecord] { entries.map(\.record) }

    mutating func store(_ record: Record) {
        switch record {
        case .device(let record): device = record
        case .app(let app): Self.put(app, into: &apps) { $0.app }
        case .appRemoved(let id):
            Self.remove(id, from: &apps) { $0.app }
            removeAll(of: .app(id))
        case .concern(let record):
            let subject = record.word.subject
            if record.word.isRemoval { return removeAll(of: subject) }
            Self.put(Entry(subject: subject, record: record), into: &entries) { $0.subject }
        case .launch(let launch): Self.put(launch, into: &launches) { $0.launch }
        case .launchEnded(let id): Self.remove(id, from: &launches) { $0.launch }
        }
    }

    /// Removes a subject and everything that belongs to it.
    private mutating func removeAll(of subject: RecordSubject) {
        let first = Self.place(of: subject, in: entries) { $0.subject }.index
        let end = entries[first...].firstIndex { !subject.includes($0.subject) } ?? entries.endIndex
        entries.removeSubrange(first..<end)
    }

    /// Replaces the entry with the same key, or inserts a new entry.
    private static func put<Entry, Key: Comparable>(
        _ entry: Entry, into entries: inout [Entry], by key: (Entry) -> Key
    ) {
        let (index, isTaken) = place(of: key(entry), in: entries, by: key)
        if isTaken { entries[index] = entry } else { entries.insert(entry, at: index) }
    }

    private static func remove<Entry, Key: Comparable>(
        _ id: Key, from entries: inout [Entry], by key: (Entry) -> Key
    ) {
        let (index, isTaken) = place(of: id, in: entries, by: key)
        if isTaken { entries.remove(at: index) }
    }

    private static func place<Entry, Key: Comparable>(
        of id: Key, in entries: [Entry], by key: (Entry) -> Key
    ) -> (index: Int, isTaken: Bool) {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if key(entries[middle]) < id { low = middle + 1 } else { high = middle }
        }
        return (low, low < entries.count && key(entries[low]) == id)
    }
}

extension Device {
    /// A device that is restarted from the committed records.
    init(policy: Policy, _ disk: Disk) {
        self.init(
            policy: policy, record: disk.device, apps: disk.apps, launches: disk.launches, concerns: disk.concerns)
    }
}
