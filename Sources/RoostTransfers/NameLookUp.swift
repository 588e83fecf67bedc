internal import Dispatch
internal import Glibc

/// Looks up names of hosts, each on its own thread, separate from the threads for files. An unresponsive name server
/// may block such a thread for any time.
struct NameLookUp: Sendable {
    /// The return value of `getaddrinfo` for a name.
    typealias Asking = @Sendable (String) -> Int32

    var ask: Asking = { host in
        var found: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, nil, nil, &found)
        if let found { freeaddrinfo(found) }
        return code
    }

    /// Finds out whether the name servers report that the host does not exist, and calls `body` on another thread. If
    /// false, a later lookup may succeed.
    func isSurelyNotThere(_ host: String, _ body: @escaping @Sendable (Bool) -> Void) {
        // A queue for each lookup, because lookups on a shared queue would wait for each other.
        Carrier.queue("name").async { body(ask(host) == EAI_NONAME) }
    }
}
