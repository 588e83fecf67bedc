/// Something that an adapter reports or the user does, by the concern it belongs to.
public enum ConcernInput: Hashable, Sendable, Codable {
    /// A user action that concerns background fetch.
    case fetch(FetchInput)
    /// A report or user action that concerns background transfers.
    case transfer(TransferInput)
    /// A report or user action that concerns local and remote notifications.
    case notification(NotificationInput)
}

/// A request of an app, by the concern that answers it.
public enum ConcernRequest: Hashable, Sendable, Codable {
    /// A request that concerns background fetch.
    case fetch(FetchRequest)
    /// A request that concerns local or remote notifications.
    case notification(NotificationRequest)
}

/// Work for an adapter, by the concern that asks for it.
public enum ConcernOutput: Hashable, Sendable, Codable {
    /// Work for the transfer engine.
    case transfer(TransferOutput)
    /// Work for the notification adapters.
    case notification(NotificationOutput)
}

/// A change of what a concern persists.
public enum ConcernRecord: Hashable, Sendable, Codable {
    /// A change of an app's wish for background fetch.
    indirect case fetch(FetchChange)
    /// A change of an app's notifications, or of what the app may display.
    indirect case notification(NotificationRecord)
    /// A change of an app's registration for remote notifications.
    indirect case push(PushRecord)
    /// A change of a background session or of one of its transfers.
    indirect case transfer(TransferChange)
}
