/// Why the system will not talk to an app: the errors of `roost.App`. The connection is closed after them.
public enum AppRefusal: String, Error, Hashable, Sendable, CaseIterable {
    /// No launch has this token, or the launch that had it is over.
    case unknownToken = "roost.App.UnknownToken"
    /// Another connection speaks for this launch already.
    case alreadyConnected = "roost.App.AlreadyConnected"
    /// A request came on a connection that has not identified itself.
    case notIdentified = "roost.App.NotIdentified"

    /// The refusal in a reply; nil if it holds none.
    public init?(_ reply: VarlinkReply) {
        guard let error = reply.error else { return nil }
        self.init(rawValue: error)
    }

    /// The reply that tells it.
    public var reply: VarlinkReply { VarlinkReply(error: rawValue) }
}
