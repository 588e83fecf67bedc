import LifeCycleModel

/// What a virtual app knows of its background sessions.
struct Downloads: Hashable, Sendable {
    /// A session that the app has open.
    struct Session: Hashable, Sendable {
        let identifier: SessionIdentifier
        /// Nil until the system has said so.
        var id: TransferSessionID?
        var nextNumber: Int64 = 1
        /// What it was told the outcome of, in no order that matters.
        var told: Set<Int64> = []
        /// Tasks that came to nothing, and can be resumed.
        var resumable: [Int64] = []
        var isFinishing = false
        /// How many tasks this launch has made, of an app that has a script.
        var made = 0
        /// What its tasks download. Looked up only.
        var urls: [Int64: String] = [:]

        init(identifier: SessionIdentifier) { self.identifier = identifier }
    }

    /// In the order they were opened.
    var open: [Session] = []
    /// The completion handlers it was given and has not called.
    var handlers: [SessionIdentifier] = []

    func isOpen(_ id: TransferSessionID) -> Bool { open.contains { $0.id == id } }

    func index(of identifier: SessionIdentifier) -> Int? { open.firstIndex { $0.identifier == identifier } }

    /// The names that apps give their sessions.
    static let identifiers = ["podcasts", "maps"].compactMap { SessionIdentifier($0) } + [.newsstand]

    /// What the servers have, with what is peculiar about it.
    static let catalogue: [(url: String, file: ServedFile)] = [
        ("https://one.example.org/small", ServedFile(size: 40_000)),
        ("https://one.example.org/episode", ServedFile(size: 60 << 20)),
        ("https://one.example.org/plain", ServedFile(size: 9 << 20, hasValidator: false)),
        ("https://one.example.org/missing", ServedFile(size: 300, status: 404)),
        ("https://two.example.org/film", ServedFile(size: 150 << 20)),
        ("https://two.example.org/silent", ServedFile(size: 5000, isAnswered: false)),
        ("https://two.example.org/empty", ServedFile(size: 0)),
    ]
}
