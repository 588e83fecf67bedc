public import LifeCycleModel

/// The state of a device, for bodies and for people.
extension Device {
    /// The limits and choices in force.
    public var policy: Policy { state.policy }
    /// Whether processes that are on no record are found and ended at the system's next start.
    public var endsLeftovers: Bool { state.endsLeftovers }

    /// The persisted record of the device itself.
    public var record: DeviceRecord { state.record }
    /// Whether there is a link to other machines, as far as anything has told.
    public var isConnected: Bool { state.surroundings.isConnected }
    /// The app in front, be it interrupted or on its way there; nil on the home screen.
    public var front: AppID? { state.foreground.front }
    /// Why no events can have led to this device, in a few words; nil where there is no such reason. What was read from a
    /// file may contradict itself, and its machines go by one another.
    public var contradiction: String? { state.contradiction }
    /// When `deadlineReached` is wanted next, without what concerns wait for: only by this can be told that the loop stood
    /// still.
    public var nextLifeCycleDeadline: Deadline? { state.nextLifeCycleDeadline }

    /// Every installed app, in the order of their numbers.
    public var snapshots: [AppSnapshot] { state.snapshots }
    /// The app numbered `id`; nil where none is installed.
    public func snapshot(of id: AppID) -> AppSnapshot? { state.snapshot(of: id) }
    /// The context that the body passes to the process of a launch when it starts it; nil if the launch is over.
    ///
    /// The context is of this moment: a process whose early start had to wait may have been launched since (T28).
    public func launchContext(of launch: LaunchID) -> LaunchContext? {
        state.launchContext(of: launch, newsstandDownloads: concerns.transfers.newsstandDownloads(of:))
    }

    // MARK: Notifications

    /// By what providers name an app; nil where it has not registered for remote notifications.
    public func deviceToken(of app: AppID) -> DeviceToken? { concerns.notifications.pushes.token(of: app) }
    /// All that is known of local notifications, as it is kept.
    public var notificationRecords: NotificationRecords { concerns.notifications.records }
    /// A remote notification, as long as anything refers to it; nil afterwards.
    public func remoteNotification(_ id: PushID) -> RemoteNotification? { concerns.notifications.pushes.contents[id] }
    /// The remote notifications that something refers to, in the order of their ids.
    public var remoteNotifications: [RemoteRecord] { concerns.notifications.pushes.contents.list }

    /// The record to store. An effect has only the id of a remote notification; here the notification is added.
    public func filled(_ record: Record) -> Record {
        guard case .concern(.notification(.remote(var remote))) = record else { return record }
        remote.notification = remoteNotification(remote.id)
        return .concern(.notification(.remote(remote)))
    }

    /// The message to send. An effect has only the id of a remote notification; here its payload is added.
    /// Nil if the notification is gone, since the launch that was to get it is over.
    public func filled(_ message: SystemMessage) -> SystemMessage? {
        switch message {
        case .callback(let id, .concern(.notification(.receivedRemote(.of(let push))))):
            remoteNotification(push).map {
                .callback(id, .concern(.notification(.receivedRemote(.text($0.payload)))))
            }
        case .concern(.notification(.launchedByRemote(.of(let push)))):
            remoteNotification(push).map { .concern(.notification(.launchedByRemote(.text($0.payload)))) }
        default: message
        }
    }

    /// When a scheduled notification fires next, on the wall clock; nil where that cannot be told yet, or it never does.
    public func notificationDue(_ id: NotificationID) -> Nanoseconds? { concerns.notifications.due(id) }
    /// The name of the zone that the device's clocks show, as far as anything has told.
    public var localZone: String? { state.surroundings.zone?.name }

    // MARK: Transfers

    /// The order that the body gives the engine for a transfer that has begun; nil if the transfer is no longer under way.
    public func transferJob(of id: TransferID) -> TransferJob? { concerns.transfers.order(of: id) }
    /// Every task there is, in the order of their numbers.
    public var transferSnapshots: [TransferSnapshot] {
        concerns.transfers.snapshots(on: state)
    }
    /// One task; nil where there is none such.
    public func transferSnapshot(of id: TransferID) -> TransferSnapshot? {
        concerns.transfers.snapshot(of: id, on: state)
    }
    /// A page of the tasks of an app, or of all apps, in the order of their numbers: those after `after`, at most `limit`.
    /// There may be a hundred thousand tasks, and a view of them is refreshed twice a second.
    public func transferSnapshots(of app: AppID?, after: TransferID?, limit: Int) -> [TransferSnapshot] {
        concerns.transfers.snapshots(of: app, after: after, limit: limit, on: state)
    }
    /// Every background session, in the order of their numbers.
    public var sessionRecords: [TransferSessionRecord] { concerns.transfers.sessions.map(\.value.record) }
    /// Whose partial files are still needed.
    public var transferIDs: [TransferID] { concerns.transfers.ids }
}
