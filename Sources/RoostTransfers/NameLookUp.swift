internal import Dispatch
internal import Glibc
internal import NIOCore

/// Asks for the names of hosts: each on a thread of its own, which has nothing to do with what is written. A name server
/// that does not answer takes as long as it likes.
final class NameLookUp: Sendable {
    /// What `getaddrinfo` says of a name.
    typealias Asking = @Sendable (String) -> Int32

    private let ask: Asking
    /// Those that are under way.
    private let underWay = DispatchGroup()

    init(_ ask: @escaping Asking = systemAnswer) { self.ask = ask }

    /// Whether the name servers say that there is no such host; otherwise it may be found another time.
    func isSurelyNotThere(_ host: String, on loop: any EventLoop) -> EventLoopFuture<Bool> {
        let promise = loop.makePromise(of: Bool.self)
        // A queue of its own for each, since one that is shared lets them wait for one another.
        DispatchQueue(label: "org.roost.transfers.name").async(group: underWay) { [ask] in
            promise.succeed(ask(host) == EAI_NONAME)
        }
        return promise.futureResult
    }

    /// Calls `body` once none is under way.
    func whenDone(on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
        underWay.notify(queue: queue, execute: body)
    }
}

private let systemAnswer: NameLookUp.Asking = { host in
    var found: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, nil, nil, &found)
    if let found { freeaddrinfo(found) }
    return code
}
