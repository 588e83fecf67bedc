import LifeCycleModel
import LifeCyclePolicy
import LifeCycleSimulation
import LifeCycleText

/// The story of background downloads, and their progress.
extension ScenarioRun {
    /// A download as it was last seen, because the brain forgets a delivered download.
    struct Download {
        let id: TransferID
        let url: String
        /// The last reason for waiting in the story.
        var wait: TransferWait?
        /// Whether another decision of the same event gave the reason for waiting.
        var isWaitReported = false
        /// The download's end; nil before it.
        var ending: String?
        /// Whether the app has acknowledged the end.
        var isDelivered = false
        /// Whether the download is gone, together with its app.
        var isGone = false
    }

    // MARK: The story

    /// Records a decision about a download or a session.
    mutating func note(_ decision: TransferDecision, at time: Moment) {
        switch decision {
        case .began(let id, _): change(id, at: time) { $0.wait = nil }
        case .stopped(let id, let wait), .waits(let id, let wait, _): change(id, at: time) { $0.wait = wait }
        case .retries(let id, _, _), .delayed(let id, _): change(id, at: time) { $0.isWaitReported = true }
        case .completed(let id, _): change(id, at: time) { $0.ending = DownloadWord.done }
        case .failed(let id, _): change(id, at: time) { $0.ending = DownloadWord.failed }
        case .delivered(let id): change(id, at: time) { $0.isDelivered = true }
        default: break
        }
    }

    private mutating func change(_ id: TransferID, at time: Moment, _ change: (inout Download) -> Void) {
        see(id, at: time)
        if let index = places[id] { change(&downloads[place(id.session.app)][index]) }
    }

    private mutating func see(_ id: TransferID, at time: Moment) {
        guard places[id] == nil, let snapshot = world.device.transferSnapshot(of: id) else { return }
        let app = id.session.app
        places[id] = downloads[place(app)].count
        let url = Words.shown(snapshot.record.request.url)
        downloads[place(app)].append(Download(id: id, url: snapshot.record.request.url))
        add(
            app, .why, "transfer \(id) is made, of \(url)", rule: "R-50", .carries(id, "download of \(url)"),
            at: time)
    }

    /// Adds the reasons for waiting that no decision gave, as for new downloads.
    mutating func noteDownloads() {
        for id in world.device.transferIDs { see(id, at: world.now) }
        for app in downloads.indices {
            for index in downloads[app].indices where places[downloads[app][index].id] == index {
                noteWait(app, index)
            }
        }
    }

    private mutating func noteWait(_ app: Int, _ index: Int) {
        let old = downloads[app][index]
        downloads[app][index].isWaitReported = false
        guard let snapshot = world.device.transferSnapshot(of: old.id) else {
            // The download was delivered and forgotten, or its app is uninstalled. Its number may then be reused.
            places[old.id] = nil
            guard !old.isDelivered else { return }
            downloads[app][index].isGone = true
            return add(old.id.session.app, .why, "transfer \(old.id) is gone with its app", .carried(old.id))
        }
        switch snapshot.wait {
        // These end within the same instant.
        case nil, .suspended, .stop: return
        case let wait?:
            guard wait != old.wait else { return }
            downloads[app][index].wait = wait
            guard !old.isWaitReported else { return }
            add(
                old.id.session.app, .why, "transfer \(old.id) waits for \(TransferText.text(wait))",
                rule: TransferText.rule(of: wait), .carrying(old.id))
        }
    }

    static func text(of call: SessionCall) -> String {
        let name = call.method.rawValue
        guard let url = call.url else { return "\(name) of session \"\(Words.shown(call.session.rawValue))\"" }
        let why = call.failure.map { ": NSURLError \($0.code), \(Words.shown($0.reason))" } ?? ""
        return "\(name) of \(Words.shown(url))\(why)"
    }

    static func rule(of call: SessionCall) -> String? {
        switch call.method {
        case .willBeginDelayedRequest: "R-54"
        case .didResumeAtOffset: "R-62"
        case .didFinishDownloadingTo: "R-59"
        case .didCompleteWithError: call.failure?.cancelledReason == nil ? nil : "R-60"
        case .urlSessionDidFinishEvents: "R-57"
        }
    }

    // MARK: Expectations

    /// The difference from the expected progress of the newest download of a URL; nil if there is none.
    func downloadFinding(_ app: AppID, _ url: String, _ expected: String) -> String? {
        let (word, wait) = progressWord(of: url, in: app)
        guard word != expected, wait?.rawValue != expected else { return nil }
        let found = wait.map { "\(word): \($0.rawValue), for \(TransferText.text($0))" } ?? word
        return "expected the download of \(Words.shown(url)) in \(name(app)) to be \(expected), but it is \(found)"
    }

    private func progressWord(of url: String, in app: AppID) -> (word: String, wait: TransferWait?) {
        guard let download = downloads[place(app)].last(where: { $0.url == url }), !download.isGone else {
            return (DownloadWord.none, nil)
        }
        if download.isDelivered, let ending = download.ending { return (ending, nil) }
        guard let snapshot = world.device.transferSnapshot(of: download.id) else { return (DownloadWord.none, nil) }
        return (snapshot.state.rawValue, snapshot.wait)
    }
}
