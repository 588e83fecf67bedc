import AppCore
import Foundation
import LifeCycleModel
import RoostKit
import Synchronization

/// The system of an app in the test's process. The host records the app's messages, and sends those of the test.
final class Host: HostLink {
    private struct State {
        var acts: [TransferAct] = []
        var sessions: Set<String> = []
        var lines: [String] = []
    }

    private let state = Mutex(State())
    let container: URL

    init() throws {
        container = FileManager.default.temporaryDirectory.appendingPathComponent(
            "roosturlsession-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: container, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: container) }

    var now: Nanoseconds { .zero }
    func began(_ task: TaskID, file: String, line: Int) {}
    // App: nothing in it waits.
    func sleep(until deadline: Nanoseconds) async throws {}
    func log(_ line: String) { state.withLock { $0.lines.append(line) } }

    func send(_ request: AppRequest) {
        guard case .concern(.transfer(let session, let act)) = request else { return }
        state.withLock { state in
            state.acts.append(act)
            state.sessions.insert(session.rawValue)
        }
    }

    /// The app's messages since the last call.
    func takeActs() -> [TransferAct] {
        state.withLock { state in
            defer { state.acts = [] }
            return state.acts
        }
    }

    var lines: [String] { state.withLock(\.lines) }

    /// Writes a downloaded file to the place where the app finds it; returns the place.
    func put(_ text: String, _ name: String) throws -> String {
        let file = "\(TransferRecord.directory)/\(name)"
        let url = container.appendingPathComponent(file)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
        return file
    }
}

/// An app in the test's process, with a background session named `s`.
@MainActor final class HostedApp {
    let host: Host
    private let runner: AppRunner
    let identifier: SessionIdentifier

    init(_ host: Host) throws {
        self.host = host
        identifier = try SessionIdentifier("s").orFail()
        let context = LaunchContext(reason: .user, backgroundTime: .seconds(30), isMultitaskingSupported: true)
        runner = AppRunner(session: AppSession(context: context, link: host), code: HostedCode(info: [:]))
        runner.begin()
    }

    /// Ends the launch.
    func end() { runner.end() }

    func say(_ news: TransferNews...) {
        for news in news { runner.receive(.concern(.transfer(identifier, news))) }
    }

    /// Reports a new session.
    func sayOpened(_ tasks: [TransferSummary] = []) {
        say(.opened(TransferSessionID(app: AppID(1), number: 7), lowestFree: 1), .listed(tasks, isLast: true))
    }
}

struct Missing: Error {}

extension Optional {
    /// The wrapped value; nil fails the test.
    func orFail() throws -> Wrapped {
        guard let self else { throw Missing() }
        return self
    }
}
