import LifeCycleModel

/// A virtual app's knowledge of its background sessions.
struct Downloads: Hashable, Sendable {
    /// A session that the app has open.
    struct Session: Hashable, Sendable {
        let identifier: SessionIdentifier
        /// nil until the system has sent it.
        var id: TransferSessionID?
        var nextNumber: Int64 = 1
        /// The tasks whose outcome the delegate was notified of. The order does not matter.
        var received: Set<Int64> = []
        /// Failed tasks that can be resumed.
        var resumable: [Int64] = []
        var isFinishing = false
        /// The number of tasks that this launch has created; counted only for an app with a script.
        var made = 0
        /// The URLs of the session's tasks. For look-up only.
        var urls: [Int64: String] = [:]

        init(identifier: SessionIdentifier) { self.identifier = identifier }
    }

    /// In the order in which they were opened.
    var open: [Session] = []
    /// The pending completion handlers.
    var handlers: [SessionIdentifier] = []

    func isOpen(_ id: TransferSessionID) -> Bool { open.contains { $0.id == id } }

    func index(of identifier: SessionIdentifier) -> Int? { open.firstIndex { $0.identifier == identifier } }

    /// The names that apps give their sessions.
    static let identifiers = ["podcasts", "maps"].compactMap { SessionIdentifier($0) } + [.newsstand]

    /// The files on the servers, with their peculiarities.
    static let catalog: [(url: String, file: ServedFile)] = [
        ("https://one.example.org/small", ServedFile(size: 40_000)),
        ("https://one.example.org/episode", ServedFile(size: 60 << 20)),
        ("https://one.example.org/plain", ServedFile(size: 9 << 20, hasValidator: false)),
        ("https://one.example.org/missing", ServedFile(size: 300, status: 404)),
        ("https://two.example.org/film", ServedFile(size: 150 << 20)),
        ("https://two.example.org/silent", ServedFile(size: 5000, isAnswered: false)),
        ("https://two.example.org/empty", ServedFile(size: 0)),
    ]
}
