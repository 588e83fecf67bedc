import LifeCycleModel
import LifeCyclePolicy
import LifeCycleSimulation

/// The words for background downloads, the network and the servers.
extension ScenarioReader {
    /// The most URLs of a scenario's servers.
    private static let mostServed = 1000
    /// The default name of a session.
    private static let usualSession = "downloads"
    /// The fastest network, in bytes a second. The arithmetic is exact up to this speed.
    private static let fastest: Int64 = 4 << 30

    // MARK: Servers

    static func serves(_ node: ScenarioNode) throws(ScenarioProblem) -> [ScenarioServing] {
        let entries = try node.entries("the files of servers, by URL")
        guard entries.count <= mostServed else {
            throw ScenarioProblem(entries[mostServed].key.place, "expected at most \(mostServed) URLs")
        }
        var serves: [ScenarioServing] = []
        for entry in entries {
            let url = try servedURL(ScenarioNode(entry.key.place, .text(entry.key.value)))
            if case .map(let words) = entry.value.content {
                serves.append(ScenarioServing(url: url, file: try file(words, at: entry.key.place)))
            } else {
                serves.append(ScenarioServing(url: url, file: ServedFile(size: try fileSize(entry.value))))
            }
        }
        return serves
    }

    static func networkAct(_ verb: Verb, _ phrase: Phrase) throws(ScenarioProblem) -> ScenarioStep.Act {
        switch verb {
        case .serve:
            let url = try servedURL(phrase.value)
            let words = phrase.others.filter { $0.key.value != "at" }
            return .serve(ScenarioServing(url: url, file: try file(words, at: phrase.verb.place)))
        case .network:
            try phrase.check(["speed", "at"])
            let kind = try phrase.value.choice(Network.allCases.map(\.rawValue), "a kind of network")
            var speed: Int64?
            if let node = phrase["speed"] {
                let expected = "the bytes per second of each download, from 1KB to 4GB"
                let most = try size(node, expected)
                guard (1...fastest).contains(most) else { throw node.problem(expected) }
                speed = most
            }
            return .network(Network(rawValue: kind) ?? .none, bytesPerSecond: speed)
        default:
            try phrase.check(["at"])
            return .outage(try phrase.value.time())
        }
    }

    private static func file(_ words: [ScenarioNode.Entry], at place: Place) throws(ScenarioProblem) -> ServedFile {
        try check(words, words: ["size", "status", "validator", "trouble"])
        guard let size = words.first(where: { $0.key.value == "size" }) else {
            throw ScenarioProblem(place, "expected size: and the size of the file, such as 10MB")
        }
        var file = ServedFile(size: try fileSize(size.value))
        for word in words {
            switch word.key.value {
            case "status": file.status = Int32(try word.value.number(200...599))
            case "validator": file.hasValidator = try word.value.flag()
            case "trouble":
                let name = try word.value.choice(Trouble.allCases.map(\.rawValue), "a kind of trouble")
                switch Trouble(rawValue: name) {
                case .silent: file.isAnswered = false
                case .busy: file.trouble = .busy
                case .refused: file.trouble = .refused
                case .lost: file.trouble = .lost
                case nil: break
                }
            default: break
            }
        }
        return file
    }

    /// A fault of a file, by its word in scenarios.
    private enum Trouble: String, CaseIterable {
        case silent, busy, refused, lost
    }

    private static func fileSize(_ node: ScenarioNode) throws(ScenarioProblem) -> Int64 {
        try size(node, "a size such as 10MB, below 1024GB")
    }

    private static func servedURL(_ node: ScenarioNode) throws(ScenarioProblem) -> String {
        let url = try self.url(node)
        guard url.hasPrefix("https://") || url.hasPrefix("http://") else {
            throw node.problem("a URL that begins with https:// or http://")
        }
        return url
    }

    private static func url(_ node: ScenarioNode) throws(ScenarioProblem) -> String {
        let expected = "a URL such as https://example.org/1.mp3"
        let url = try node.text(expected)
        guard !url.isEmpty, url.utf8.count <= TransferRequest.longestURL else {
            throw node.problem("\(expected), of at most \(TransferRequest.longestURL) bytes")
        }
        return url
    }

    // MARK: Acts of apps

    static func download(_ phrase: Phrase, others: [String]) throws(ScenarioProblem) -> AppScript.Download {
        try phrase.check(["session", "discretionary", "cellular", "earliest"] + others)
        let url = try url(phrase.value)
        var name = Self.usualSession
        if let node = phrase["session"] { name = try node.text("the name of a background session") }
        guard let session = SessionIdentifier(name) else {
            throw phrase["session"]?.problem("a session's name of 1 to \(SessionIdentifier.longest) bytes")
                ?? ScenarioProblem(phrase.place, "expected the name of a background session")
        }
        return AppScript.Download(
            url, session: session, allowsCellular: try phrase["cellular"]?.flag() ?? true,
            earliest: try phrase["earliest"].map { node throws(ScenarioProblem) in try node.time() })
    }

    /// Records the session of a download. An app creates all its sessions in each launch. Options that are given with
    /// any download of a session are options of the session.
    mutating func note(_ deed: AppScript.Act, _ phrase: Phrase, of app: AppID) throws(ScenarioProblem) {
        guard case .download(let download) = deed else { return }
        let node = phrase["discretionary"]
        let isDiscretionary = try node?.flag()
        var configuration = sessions[app]?[download.session] ?? TransferSessionConfiguration()
        let key = NamedSession(app: app, session: download.session)
        if let node, let isDiscretionary {
            if let before = discretions[key], before != isDiscretionary {
                throw ScenarioProblem(
                    node.place,
                    "session \"\(Words.shown(download.session.rawValue))\" is \(before ? "" : "not ")discretionary "
                        + "in an earlier step, and this is a property of the session: expected discretionary: \(before), "
                        + "or another session")
            }
            discretions[key] = isDiscretionary
            configuration.isDiscretionary = isDiscretionary
        }
        sessions[app, default: [:]][download.session] = configuration
    }

    /// A session of one app.
    struct NamedSession: Hashable {
        let app: AppID
        let session: SessionIdentifier
    }

    // MARK: Expectations

    static func downloads(_ node: ScenarioNode, of app: AppID) throws(ScenarioProblem) -> [Expectation] {
        var expectations: [Expectation] = []
        for entry in try node.entries("the progress of downloads, by URL") {
            let url = try url(ScenarioNode(entry.key.place, .text(entry.key.value)))
            let word = try entry.value.choice(DownloadWord.all, "the progress of a download")
            expectations.append(Expectation(place: entry.value.place, claim: .download(app, url: url, word)))
        }
        return expectations
    }
}

/// The words for the progress of a download.
enum DownloadWord {
    /// The download waits for something.
    static let waiting = TransferState.waiting.rawValue
    /// The app's delegate has its file.
    static let done = "done"
    /// The app's delegate was notified of its failure.
    static let failed = "failed"
    /// There is no such download, or no longer.
    static let none = "none"

    static let all =
        [TransferState.waiting, .running, .moving, .delivering].map(\.rawValue) + [done, failed, none]
        + TransferWait.allCases.map(\.rawValue)
}
