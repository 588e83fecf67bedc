/// The subject of records. While a record of a subject is not on disk, the effects that build on the subject wait.
public enum RecordSubject: Hashable, Sendable {
    /// An app.
    case app(AppID)
    /// A background transfer.
    case transfer(TransferID)
    /// The background sessions of an app, with their transfers.
    case sessions(of: AppID)
    /// The notifications of an app.
    case notifications(of: AppID)
    /// The registration of an app for remote notifications.
    case registration(of: AppID)
}

extension Record {
    /// The subjects of the record; empty if no effect builds on it.
    public var subjects: [RecordSubject] {
        switch self {
        case .app(let record): [.app(record.app)]
        case .appRemoved(let app): [.app(app)]
        case .concern(.notification(.client(let record))): [.notifications(of: record.app)]
        case .concern(.notification(.scheduled(let record))): [.notifications(of: record.id.app)]
        case .concern(.notification(.delivered(let record))): [.notifications(of: record.id.app)]
        case .concern(.notification(.unscheduled(let id))), .concern(.notification(.removed(let id))):
            [.notifications(of: id.app)]
        case .concern(.push(let record)): [.registration(of: record.app)]
        case .concern(.transfer(.session(let record))): [.sessions(of: record.id.app)]
        case .concern(.transfer(.sessionRemoved(let id))): [.sessions(of: id.app)]
        case .concern(.transfer(.task(let record))): [.transfer(record.id), .sessions(of: record.id.session.app)]
        case .concern(.transfer(.taskRemoved(let id))): [.transfer(id), .sessions(of: id.session.app)]
        case .concern(.fetch), .device, .launch, .launchEnded: []
        }
    }
}
