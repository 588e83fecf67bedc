public import LifeCycleModel

/// The state of a device, for bodies and for display.
extension Device {
    /// The limits and choices in force.
    public var policy: Policy { state.policy }
    /// Whether the system finds and ends processes without a record at its next start.
    public var endsLeftovers: Bool { state.endsLeftovers }

    /// The persisted record of the device itself.
    public var record: DeviceRecord { state.record }
    /// Whether the last report says that the device has a network link.
    public var isConnected: Bool { state.surroundings.isConnected }
    /// The foreground app, which may be interrupted or still on its way; nil on the home screen.
    public var foregroundApp: AppID? { state.foreground.app }
    /// Why no sequence of events leads to this device, in a few words; nil if no such reason is found. A device from a
    /// file may contradict itself, and the machines rely on each other.
    public var contradiction: String? { state.contradiction }
    /// The next deadline without those of concerns. Only a late deadline of this kind shows that the event loop
    /// stalled.
    public var nextLifeCycleDeadline: Deadline? { state.nextLifeCycleDeadline }

    /// The snapshots of all installed apps, in the order of their ids.
    public var snapshots: [AppSnapshot] { state.snapshots }
    /// The snapshot of an app; nil if the app is not installed.
    public func snapshot(of id: AppID) -> AppSnapshot? { state.snapshot(of: id) }
    /// The context that the body passes to the process of a launch when it starts it; nil if the launch is over.
    ///
    /// The context is of this moment: a prewarmed process whose start had to wait may have been launched meanwhile
    /// (T28).
    public func launchContext(of launch: LaunchID) -> LaunchContext? {
        state.launchContext(of: launch, newsstandDownloads: concerns.transfers.newsstandDownloads(of:))
    }

    // MARK: Location

    /// The newest position; nil if it is not known since the start of the system.
    public var location: LocationFix? { concerns.locations.newest }
    /// Whether the receiver of positions is switched on.
    public var isReceiverOn: Bool { concerns.locations.receiver.isOn }
    /// The records of the apps that use the location, or that the user decided about, in the order of their ids.
    public var locationRecords: [LocationRecord] { concerns.locations.clients.map(\.value.record) }

    // MARK: Notifications

    /// The app's device token; nil if the app is not registered for remote notifications.
    public func deviceToken(of app: AppID) -> DeviceToken? { concerns.notifications.pushes.token(of: app) }
    /// The records of all local notifications, as they are persisted.
    public var notificationRecords: NotificationRecords { concerns.notifications.records }
    /// A remote notification; nil once it is no longer in use.
    public func remoteNotification(_ id: PushID) -> RemoteNotification? { concerns.notifications.pushes.contents[id] }
    /// The remote notifications in use, in the order of their ids.
    public var remoteNotifications: [RemoteRecord] { concerns.notifications.pushes.contents.list }

    /// The record to store. The effect's record has only the id of a remote notification; this adds the notification.
    public func filled(_ record: Record) -> Record {
        guard case .concern(.notification(.remote(var remote))) = record else { return record }
        remote.notification = remoteNotification(remote.id)
        return .concern(.notification(.remote(remote)))
    }

    /// The message to send. The effect's message has only the id of a remote notification; this adds the payload. Nil
    /// if the notification is gone, because the launch that was to receive it is over.
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

    /// The next due time of a scheduled notification, on the wall clock; nil if it is never due, or cannot be computed
    /// yet.
    public func notificationDue(_ id: NotificationID) -> Nanoseconds? { concerns.notifications.due(id) }
    /// The name of the device's time zone; nil before the body has reported it.
    public var localZone: String? { state.surroundings.zone?.name }

    // MARK: Transfers

    /// The engine's job for a transfer that has begun; nil if the transfer is no longer under way.
    public func transferJob(of id: TransferID) -> TransferJob? { concerns.transfers.order(of: id) }
    /// The snapshots of all transfers, in the order of their ids.
    public var transferSnapshots: [TransferSnapshot] {
        concerns.transfers.snapshots(on: state)
    }
    /// The snapshot of one transfer; nil if it does not exist.
    public func transferSnapshot(of id: TransferID) -> TransferSnapshot? {
        concerns.transfers.snapshot(of: id, on: state)
    }
    /// A page of the transfers of one app or of all apps, in the order of their ids: those after `after`, at most
    /// `limit`. There may be a hundred thousand transfers, and a view of them is refreshed twice a second.
    public func transferSnapshots(of app: AppID?, after: TransferID?, limit: Int) -> [TransferSnapshot] {
        concerns.transfers.snapshots(of: app, after: after, limit: limit, on: state)
    }
    /// The records of all background sessions, in the order of their ids.
    public var sessionRecords: [TransferSessionRecord] { concerns.transfers.sessions.map(\.value.record) }
    /// The ids of all transfers, whose partial files are still needed.
    public var transferIDs: [TransferID] { concerns.transfers.ids }
}
