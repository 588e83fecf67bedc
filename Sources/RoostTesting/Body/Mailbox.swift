import Foundation
import LifeCycleModel
import RoostKit
import Synchronization

/// The device's clock, which apps can read from any thread.
final class SharedClock: Sendable {
    private let value: Mutex<Nanoseconds>

    init(_ now: Nanoseconds) { value = Mutex(now) }

    var now: Nanoseconds {
        get { value.withLock { $0 } }
        set { value.withLock { $0 = newValue } }
    }
}

/// The place in the source where a task was begun.
struct TaskSite: Hashable, Sendable {
    /// The file's name without its module.
    let file: String
    let line: Int

    init?(fileID: String, line: Int) {
        guard !fileID.isEmpty else { return nil }
        file = fileID.split(separator: "/").last.map(String.init) ?? fileID
        self.line = line
    }
}

/// The requests and log lines of a launch, from any thread, and its tasks that wait for the virtual clock.
final class Mailbox: HostLink {
    private struct Sleeper {
        let deadline: Nanoseconds
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var requests: [AppRequest] = []
        var lines: [String] = []
        var sites: [TaskID: TaskSite] = [:]
        var sleepers: [Int: Sleeper] = [:]
        var canceled: Set<Int> = []
        var lastSleeper = 0
        var isOver = false
    }

    private let clock: SharedClock
    private let state = Mutex(State())
    let container: URL

    init(clock: SharedClock, container: String) {
        self.clock = clock
        self.container = URL(fileURLWithPath: container, isDirectory: true)
    }

    // MARK: The app's side

    var now: Nanoseconds { clock.now }

    func send(_ request: AppRequest) { state.withLock { if !$0.isOver { $0.requests.append(request) } } }

    func log(_ line: String) { state.withLock { $0.lines.append(line) } }

    func began(_ task: TaskID, file: String, line: Int) {
        state.withLock { $0.sites[task] = TaskSite(fileID: file, line: line) }
    }

    func sleep(until deadline: Nanoseconds) async throws {
        let id = state.withLock { state in
            state.lastSleeper += 1
            return state.lastSleeper
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = state.withLock { state in
                    if state.canceled.remove(id) != nil { return true }
                    state.sleepers[id] = Sleeper(deadline: deadline, continuation: continuation)
                    return false
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                let sleeper = state.sleepers.removeValue(forKey: id)
                if sleeper == nil { state.canceled.insert(id) }
                return sleeper
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    // MARK: The device's side

    func takeRequests() -> [AppRequest] {
        state.withLock { state in
            defer { state.requests = [] }
            return state.requests
        }
    }

    func takeLines() -> [String] {
        state.withLock { state in
            defer { state.lines = [] }
            return state.lines
        }
    }

    func site(of task: TaskID) -> TaskSite? { state.withLock { $0.sites[task] } }

    /// The earliest time for which a task waits; nil if there is none.
    var nextDeadline: Nanoseconds? { state.withLock { $0.sleepers.values.map(\.deadline).min() } }

    /// Resumes the tasks whose time has come, the earliest first. Returns whether any task was resumed.
    func wake() -> Bool {
        let now = clock.now
        let due = state.withLock { state in
            let due = state.sleepers.filter { $0.value.deadline <= now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.sorted { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }.map(\.value)
        }
        for sleeper in due { sleeper.continuation.resume() }
        return !due.isEmpty
    }

    /// Ends the launch: later requests are ignored, and waiting tasks get a `CancellationError`.
    func end() {
        let sleepers = state.withLock { state in
            state.isOver = true
            state.requests = []
            defer { state.sleepers = [:] }
            return state.sleepers.sorted { $0.key < $1.key }.map(\.value)
        }
        for sleeper in sleepers { sleeper.continuation.resume(throwing: CancellationError()) }
    }
}
