/// Something that an adapter reports or the user does, by the concern it belongs to.
public enum ConcernInput: Hashable, Sendable, Codable {
    /// About background transfers.
    case transfer(TransferInput)
    /// About local and remote notifications.
    case notification(NotificationInput)
}

/// Work for an adapter, by the concern that asks for it.
public enum ConcernOutput: Hashable, Sendable, Codable {
    /// For background transfers.
    case transfer(TransferOutput)
    /// For local and remote notifications.
    case notification(NotificationOutput)
}

/// A change of what a concern persists.
public enum ConcernRecord: Hashable, Sendable, Codable {
    /// Of background fetch.
    indirect case fetch(FetchChange)
    /// Of notifications and what their apps may display.
    indirect case notification(NotificationRecord)
    /// Of an app's registration for remote notifications.
    indirect case push(PushRecord)
    /// Of background transfers.
    indirect case transfer(TransferChange)
}
