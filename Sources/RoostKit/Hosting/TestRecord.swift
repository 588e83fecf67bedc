package import AppCore
import Foundation
package import LifeCycleModel
import RoostWire

/// A line in the record of a process that a test has started. The process writes the file, and the test reads it.
package enum TestRecord: Hashable, Sendable {
    case called(DelegateCall)
    case posted(LifeCycleNotification)
    case expired(TaskID)
    case logged(String)
    case began(TaskID, file: String, line: Int)
    case ended(TaskID)

    /// The environment variable with the file's path. An app removes it, so its children do not write to the file.
    package static let variable = "ROOST_TEST_RECORD"

    // MARK: Text

    /// The line, without its newline.
    package var text: String {
        switch self {
        case .called(let call): Self.joined(["call", call.name] + call.arguments)
        case .posted(let notification): Self.joined(["post", notification.name] + notification.arguments)
        case .expired(let task): Self.joined(["expire", "\(task.rawValue)"])
        case .logged(let line): Self.joined(["log", line])
        case .began(let task, let file, let line): Self.joined(["begin", "\(task.rawValue)", file, "\(line)"])
        case .ended(let task): Self.joined(["end", "\(task.rawValue)"])
        }
    }

    /// Reads a line; nil if it is invalid.
    package init?(_ text: String) {
        var fields = text.split(separator: "\t", omittingEmptySubsequences: false).map(\.fromOneLine)
        guard fields.count >= 2 else { return nil }
        let (kind, first) = (fields.removeFirst(), fields.removeFirst())
        switch kind {
        case "call":
            guard let call = DelegateCall(name: first, arguments: fields) else { return nil }
            self = .called(call)
        case "post":
            guard let notification = LifeCycleNotification(name: first, arguments: fields) else { return nil }
            self = .posted(notification)
        case "expire":
            guard let id = Int64(first) else { return nil }
            self = .expired(TaskID(id))
        case "log": self = .logged(first)
        case "begin":
            guard let id = Int64(first), fields.count == 2, let line = Int(fields[1]) else { return nil }
            self = .began(TaskID(id), file: fields[0], line: line)
        case "end":
            guard let id = Int64(first) else { return nil }
            self = .ended(TaskID(id))
        default: return nil
        }
    }

    private static func joined(_ fields: [String]) -> String { fields.map(\.onOneLine).joined(separator: "\t") }
}

extension DelegateCall {
    fileprivate var arguments: [String] {
        switch self {
        case .willFinishLaunching(let reason), .didFinishLaunching(let reason): [reason.rawValue]
        case .didDiscardSceneSessions(let ids): ids.map { "\($0.rawValue)" }
        case .scene(.willConnect(let id)): ["\(id.rawValue)"]
        case .concern(let call, let callback): ["\(callback.rawValue)", Self.json(call)]
        default: []
        }
    }

    private static func json(_ call: ConcernCall) -> String {
        // Encoding cannot fail: a call holds only encodable values.
        (try? JSONEncoder().encode(call)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    fileprivate init?(name: String, arguments: [String]) {
        let plain: [DelegateCall] = [
            .didBecomeActive, .willResignActive, .didEnterBackground, .willEnterForeground, .didReceiveMemoryWarning,
            .protectedDataWillBecomeUnavailable, .protectedDataDidBecomeAvailable, .significantTimeChange,
            .willTerminate,
            .scene(.willEnterForeground), .scene(.didBecomeActive), .scene(.willResignActive),
            .scene(.didEnterBackground), .scene(.didDisconnect),
        ]
        if let call = plain.first(where: { $0.name == name }) {
            self = call
            return
        }
        let reason = arguments.first.flatMap { LaunchReason(rawValue: $0) }
        let sessions = arguments.compactMap { Int32($0) }.map { SceneSessionID($0) }
        switch (name, reason, sessions.first) {
        case ("willFinishLaunching", let reason?, _): self = .willFinishLaunching(reason)
        case ("didFinishLaunching", let reason?, _): self = .didFinishLaunching(reason)
        case ("didDiscardSceneSessions", _, _): self = .didDiscardSceneSessions(sessions)
        case ("sceneWillConnect", _, let session?): self = .scene(.willConnect(session))
        default:
            guard arguments.count == 2, let callback = Int32(arguments[0]),
                let call = try? JSONDecoder().decode(ConcernCall.self, from: Data(arguments[1].utf8))
            else { return nil }
            self = .concern(call, CallbackID(callback))
        }
    }
}

extension LifeCycleNotification {
    fileprivate var arguments: [String] {
        if case .didFinishLaunching(let reason) = self { [reason.rawValue] } else { [] }
    }

    fileprivate init?(name: String, arguments: [String]) {
        let plain: [LifeCycleNotification] = [
            .didBecomeActive, .willResignActive, .didEnterBackground, .willEnterForeground, .didReceiveMemoryWarning,
            .protectedDataWillBecomeUnavailable, .protectedDataDidBecomeAvailable, .significantTimeChange,
            .backgroundRefreshStatusDidChange, .powerStateDidChange, .batteryStateDidChange, .batteryLevelDidChange,
            .willTerminate, .sceneWillConnect, .sceneWillEnterForeground, .sceneDidActivate, .sceneWillDeactivate,
            .sceneDidEnterBackground, .sceneDidDisconnect,
        ]
        if let notification = plain.first(where: { $0.name == name }) {
            self = notification
        } else if name == "didFinishLaunching", let reason = arguments.first.flatMap({ LaunchReason(rawValue: $0) }) {
            self = .didFinishLaunching(reason)
        } else {
            return nil
        }
    }
}

/// The writer of a test record, in a process that a test has started. Any thread.
final class TestRecorder: AppHost, Sendable {
    /// The recorder of this process; nil if no test has started the process.
    nonisolated static let shared: TestRecorder? = {
        guard let path = getenv(TestRecord.variable).map({ String(cString: $0) }) else { return nil }
        unsetenv(TestRecord.variable)
        let descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
        return descriptor < 0 ? nil : TestRecorder(descriptor: descriptor)
    }()

    private let descriptor: Int32

    nonisolated private init(descriptor: Int32) { self.descriptor = descriptor }

    /// Writes a record. Each line is a single `write`, so lines from several threads do not mix.
    nonisolated func write(_ record: TestRecord) {
        let bytes = [UInt8]((record.text + "\n").utf8)
        _ = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }

    func willCall(_ call: DelegateCall) { write(.called(call)) }
    func willPost(_ notification: LifeCycleNotification) { write(.posted(notification)) }
    func willExpire(_ task: TaskID) { write(.expired(task)) }
    func hasReturned(_ callback: CallbackID) -> Bool { true }
    func exit() {}
}
