import AppCore
import LifeCycleModel

/// A scripted app's use of background sessions: correct, except for the script's acts.
///
/// The delegate's methods are called on the main thread, as with `OperationQueue.main`.
extension ScriptedApp {
    /// The most tasks of one launch. Task numbers are unique to the launch, as in a real app.
    private static let mostInLaunch: Int64 = 1_000_000

    /// At first a launch creates its sessions. An app that is called for a session's events stores the handler.
    mutating func useSessions(in call: DelegateCall, _ script: AppScript, into acts: inout [Act]) {
        switch call {
        case .didFinishLaunching:
            for (identifier, configuration) in script.sessions.sorted(by: { $0.key < $1.key }) {
                open(identifier, configuration, into: &acts)
            }
        case .concern(.transfer(.handleEvents(let session)), _):
            downloads.handlers.append(session)
            open(session, script.sessions[session] ?? TransferSessionConfiguration(), into: &acts)
        default: break
        }
    }

    /// Creates a download task and resumes it.
    mutating func begin(_ download: AppScript.Download, into acts: inout [Act]) {
        open(download.session, script?.sessions[download.session] ?? TransferSessionConfiguration(), into: &acts)
        guard let index = downloads.index(of: download.session) else { return }
        let number = Int64(launch.number - 1) * Self.mostInLaunch + Int64(downloads.open[index].made) + 1
        downloads.open[index].made += 1
        downloads.open[index].urls[number] = download.url
        acts.append(.note(.downloads(download)))
        var request = TransferRequest(url: download.url)
        request.networks.cellular = download.allowsCellular
        say(.make(NewTransfer(number: number, request: request)), of: download.session, into: &acts)
        if let earliest = download.earliest { acts.append(.delayTaskBy(download.session, number, earliest)) }
        say(.resume(number), of: download.session, into: &acts)
    }

    /// Handles news about a session.
    mutating func receive(
        _ news: TransferNews, of identifier: SessionIdentifier, _ script: AppScript, at now: Nanoseconds,
        into acts: inout [Act]
    ) {
        guard let index = downloads.index(of: identifier) else { return }
        let urls = downloads.open[index].urls
        func call(_ method: SessionCall.Method, _ task: Int64, _ failure: TransferFailure? = nil) -> SessionCall {
            SessionCall(method, of: identifier, task: task, url: urls[task], failure: failure)
        }
        switch news {
        case .opened(let id, let lowestFree): _ = opened(index, id, lowestFree: lowestFree)
        case .listed(let tasks, _): for task in tasks { downloads.open[index].urls[task.number] = task.request.url }
        case .progressed: break
        case .resumed(let task, _, _): enter(call(.didResumeAtOffset, task), script, at: now, into: &acts)
        case .willBegin(let task): enter(call(.willBeginDelayedRequest, task), script, at: now, into: &acts)
        case .downloaded(let task, _, _, _):
            noteOutcome(of: task, hasFile: true, index, into: &acts)
            enter(call(.didFinishDownloadingTo, task), script, at: now, into: &acts)
        case .failed(let task, let failure):
            noteOutcome(of: task, hasFile: false, index, into: &acts)
            enter(call(.didCompleteWithError, task, failure), script, at: now, into: &acts)
        case .eventsFinished:
            enter(SessionCall(.urlSessionDidFinishEvents, of: identifier), script, at: now, into: &acts)
        case .invalidated: downloads.open.remove(at: index)
        }
    }

    private mutating func enter(
        _ call: SessionCall, _ script: AppScript, at now: Nanoseconds, into acts: inout [Act]
    ) {
        acts.append(.note(.sessionCalled(call)))
        frame = .session(call, since: now)
        let usual: [AppScript.Act] = call.method == .urlSessionDidFinishEvents ? [.callHandler] : []
        deeds = (script.reactions[AppScript.Occasion(call.method)] ?? usual).map { Deed(act: $0) }
    }

    /// Does what a correct session does after its delegate has returned. An outcome is acknowledged after both of its
    /// calls.
    mutating func returned(
        from call: SessionCall, _ script: AppScript, at now: Nanoseconds, into acts: inout [Act]
    ) {
        guard let task = call.task else { return }
        switch call.method {
        case .willBeginDelayedRequest: say(.proceed(task, .continueLoading), of: call.session, into: &acts)
        case .didFinishDownloadingTo:
            let next = SessionCall(.didCompleteWithError, of: call.session, task: task, url: call.url)
            enter(next, script, at: now, into: &acts)
        case .didCompleteWithError: acknowledge(task, of: call.session, into: &acts)
        case .didResumeAtOffset, .urlSessionDidFinishEvents: break
        }
    }

    mutating func callHandlers(_ sessions: [SessionIdentifier], into acts: inout [Act]) {
        for session in sessions where callHandler(of: session, into: &acts) {
            acts.append(.note(.calledHandler(of: session)))
        }
    }
}
