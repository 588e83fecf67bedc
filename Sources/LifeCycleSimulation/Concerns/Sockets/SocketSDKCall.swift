public import LifeCycleModel

/// A call of an app's code that concerns its kept sockets, or its keep-alive handler.
private enum SocketSDKCall: SDKCall {
    case keeps(descriptor: Int32)
    case drops
    case setsKeepAlive(Nanoseconds)
    case clearsKeepAlive

    var signature: String {
        switch self {
        case .keeps: "keep(fileDescriptor:)"
        case .drops: "drop(fileDescriptor:)"
        case .setsKeepAlive: "setKeepAliveTimeout(_:handler:)"
        case .clearsKeepAlive: "clearKeepAliveTimeout()"
        }
    }

    var rule: String {
        switch self {
        case .keeps, .drops: "R-167"
        case .setsKeepAlive, .clearsKeepAlive: "R-170"
        }
    }

    var text: String {
        switch self {
        case .keeps: "asks the system to keep a socket"
        case .drops: "closes its kept socket"
        case .setsKeepAlive(let interval): "sets its keep-alive handler, to be called every \(interval)"
        case .clearsKeepAlive: "removes its keep-alive handler"
        }
    }

    func perform(in app: inout ScriptedApp, at now: Nanoseconds, into acts: inout [ScriptedApp.Act]) {
        switch self {
        case .keeps(let descriptor): app.keepSocket(descriptor: descriptor, into: &acts)
        case .drops: app.dropSocket(into: &acts)
        case .setsKeepAlive(let interval): app.setKeepAlive(interval, into: &acts)
        case .clearsKeepAlive: app.setKeepAlive(nil, into: &acts)
        }
    }
}

extension AppScript.Act {
    /// Asks the system to keep the socket behind a descriptor. The sockets of a launch are numbered from 1, and a
    /// negative descriptor is not open.
    public static func keepsSocket(descriptor: Int32 = 5) -> Self {
        .sdk(AnySDKCall(SocketSDKCall.keeps(descriptor: descriptor)))
    }

    /// Closes the newest kept socket.
    public static let dropsSocket = Self.sdk(AnySDKCall(SocketSDKCall.drops))

    /// Sets the keep-alive handler; nil removes it.
    public static func setsKeepAlive(_ interval: Nanoseconds?) -> Self {
        .sdk(AnySDKCall(interval.map { SocketSDKCall.setsKeepAlive($0) } ?? .clearsKeepAlive))
    }
}
