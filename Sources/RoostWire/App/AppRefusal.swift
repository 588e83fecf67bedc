/// An error of `roost.App`, after which the connection is closed.
public enum AppRefusal: String, Error, Hashable, Sendable, CaseIterable {
    /// The token belongs to no launch, or to a launch that has ended.
    case unknownToken = "roost.App.UnknownToken"
    /// The launch already has this connection.
    case alreadyConnected = "roost.App.AlreadyConnected"
    /// The connection has sent a request before it identified itself.
    case notIdentified = "roost.App.NotIdentified"

    /// The refusal in a reply; nil if it has none.
    public init?(_ reply: VarlinkReply) {
        guard let error = reply.error else { return nil }
        self.init(rawValue: error)
    }

    /// A varlink error without parameters.
    public var reply: VarlinkReply { VarlinkReply(error: rawValue) }
}
