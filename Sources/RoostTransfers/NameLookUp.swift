internal import Dispatch
internal import Glibc
internal import NIOCore

/// Looks up names of hosts, each on its own thread, separate from the threads for files. An unresponsive name server
/// may block such a thread for any time.
final class NameLookUp: Sendable {
    /// The return value of `getaddrinfo` for a name.
    typealias Asking = @Sendable (String) -> Int32

    private let ask: Asking
    /// The lookups under way.
    private let underWay = DispatchGroup()

    init(_ ask: @escaping Asking = systemAnswer) { self.ask = ask }

    /// Whether the name servers report that the host does not exist. If false, a later lookup may succeed.
    func isSurelyNotThere(_ host: String, on loop: any EventLoop) -> EventLoopFuture<Bool> {
        let promise = loop.makePromise(of: Bool.self)
        // A queue for each lookup, because lookups on a shared queue would wait for each other.
        DispatchQueue(label: "org.roost.transfers.name").async(group: underWay) { [ask] in
            promise.succeed(ask(host) == EAI_NONAME)
        }
        return promise.futureResult
    }

    /// Calls `body` when no lookup is under way.
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
