import LifeCycleModel
import LifeCyclePolicy

/// The committed records of a virtual store.
struct Disk: Hashable, Sendable {
    var device = DeviceRecord()
    /// Sorted by the apps' numbers: most events change one record of many, which is found by halves.
    private(set) var apps: [AppRecord] = []
    /// Sorted by launch.
    private(set) var launches: [LaunchRecord] = []
    /// Sorted by their numbers, as their tasks are.
    private(set) var sessions: [TransferSessionRecord] = []
    private(set) var transfers: [TransferRecord] = []
    /// Sorted by the apps' numbers.
    private(set) var fetches: [FetchRecord] = []
    private(set) var notifications = NotificationRecords()
    private(set) var pushes: [PushRecord] = []

    mutating func store(_ record: Record) {
        switch record {
        case .device(let record): device = record
        case .app(let app): Self.put(app, into: &apps) { $0.app }
        case .appRemoved(let id):
            Self.remove(id, from: &apps) { $0.app }
            Self.remove(id, from: &fetches) { $0.app }
            Self.remove(id, from: &pushes) { $0.app }
            notifications.forget(id)
        case .concern(.push(let push)): Self.put(push, into: &pushes) { $0.app }
        case .concern(.notification(let record)): notifications.apply(record)
        case .concern(.fetch(.client(let fetch))): Self.put(fetch, into: &fetches) { $0.app }
        case .concern(.fetch(.removed(let id))): Self.remove(id, from: &fetches) { $0.app }
        case .launch(let launch): Self.put(launch, into: &launches) { $0.launch }
        case .concern(.transfer(.session(let session))): Self.put(session, into: &sessions) { $0.id }
        case .concern(.transfer(.sessionRemoved(let id))):
            Self.remove(id, from: &sessions) { $0.id }
            transfers.removeAll { $0.id.session == id }
        case .concern(.transfer(.task(let transfer))): Self.put(transfer, into: &transfers) { $0.id }
        case .concern(.transfer(.taskRemoved(let id))): Self.remove(id, from: &transfers) { $0.id }
        case .launchEnded(let id): Self.remove(id, from: &launches) { $0.launch }
        }
    }

    /// Takes the place of the entry with the same key, or its own.
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
    /// A device that is restarted from what was committed.
    init(policy: Policy, _ disk: Disk) {
        self.init(
            policy: policy, record: disk.device, apps: disk.apps, launches: disk.launches, sessions: disk.sessions,
            transfers: disk.transfers, fetches: disk.fetches, pushes: disk.pushes, notifications: disk.notifications)
    }
}
