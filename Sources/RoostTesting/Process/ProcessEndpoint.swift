import AppCore
import Foundation
import Glibc
import LifeCycleModel
import RoostKit
import RoostWire

/// A launch that is a separate process; its time follows the device's.
@MainActor final class ProcessEndpoint: Endpoint {
    let launch: LaunchID
    private let context: LaunchContext
    private let home: ProcessHome
    private let world: ProcessWorld
    private let isAdopted: Bool
    private let conditions: Conditions
    private let now: @MainActor () -> Nanoseconds
    private let token: String

    private var child: ChildProcess?
    private var reports: [Report] = []
    private var sites: [TaskID: TaskSite] = [:]
    private var begun: [TaskID: BackgroundTask] = [:]
    /// The tasks that the app has ended, including tasks that ended in the foreground, which the app does not report to
    /// the system.
    private var ended: Set<TaskID> = []
    private var callbacks: [CallbackID: Callback] = [:]
    /// The reports that follow a callback that takes device time.
    private var held: [Report] = []
    private var holding: CallbackID?
    private(set) var isFrozen = false
    private var recordOffset: UInt64
    private var outputOffset: UInt64

    /// The longest time that an app may take to see that its clock has moved, in milliseconds of real time.
    private static let patience: Int32 = 5_000

    init(
        launch: LaunchID, context: LaunchContext, home: ProcessHome, world: ProcessWorld, isAdopted: Bool,
        conditions: Conditions, now: @escaping @MainActor () -> Nanoseconds
    ) {
        self.launch = launch
        self.context = context
        self.home = home
        self.world = world
        self.isAdopted = isAdopted
        self.conditions = conditions
        self.now = now
        token = "\(launch)-\(UInt64.random(in: .min ... .max))"
        recordOffset = Self.size(of: home.record)
        outputOffset = Self.size(of: home.output)
    }

    /// The process's id; nil before the start.
    var pid: Int32? { child?.pid }

    var process: Int32? { isFrozen ? nil : pid }

    // MARK: The process

    func start() {
        let environment = AppEnvironment(socket: world.listener.path, token: token, context: context)
        let variables = isAdopted ? [] : environment.variables + ["\(TestRecord.variable)=\(home.record)"]
        do throws(ChildProcess.StartError) {
            child = try ChildProcess(
                executable: home.executable,
                environment: home.environment(variables, clock: world.clockLibrary, page: world.page.path),
                directory: home.container, output: home.output)
            reports.append(.started)
        } catch {
            reports.append(.startFailed(errno: error.errno, why: String(cString: strerror(error.errno))))
        }
    }

    func freeze() {
        child?.stop()
        isFrozen = true
    }

    func thaw() {
        isFrozen = false
        child?.resume()
    }

    func requestExit() { child?.terminate() }

    func kill() {
        child?.end()
        isGone()
    }

    private func isGone() {
        if let child { world.page.forget(child.pid) }
        world.listener.forget(token)
    }

    /// The resident memory, in bytes; 0 if unknown.
    var footprint: Int64 {
        guard let child, let text = try? String(contentsOfFile: "/proc/\(child.pid)/statm", encoding: .utf8),
            let pages = text.split(separator: " ").dropFirst().first.flatMap({ Int64($0) })
        else { return 0 }
        return pages * Int64(sysconf(Int32(_SC_PAGESIZE)))
    }

    /// The process's output, for failures; of a long output, the beginning and the end.
    var lastWords: String {
        guard let file = FileHandle(forReadingAtPath: home.output) else { return "" }
        try? file.seek(toOffset: outputOffset)
        let data = (try? file.readToEnd()) ?? Data()
        // The first lines describe a crash; the last lines describe other ends.
        guard data.count > 4_000 else { return String(decoding: data, as: UTF8.self) }
        return String(decoding: data.prefix(2_000), as: UTF8.self) + "\n[…]\n"
            + String(decoding: data.suffix(2_000), as: UTF8.self)
    }

    // MARK: Time

    /// The next deadline. Work that was due at this instant has already resumed, and does not count.
    var nextDeadline: Nanoseconds? {
        guard !isFrozen, let child, let left = world.page.untilDue(child.pid), left > .zero else { return nil }
        return now() + left
    }

    func clockMoved() -> Bool {
        guard !isFrozen, let child, seen < now() else { return false }
        seen = now()
        guard world.page.isAttached(child.pid) else { return false }
        _ = world.page.waitUntilSeen(by: child.pid, milliseconds: Self.patience)
        // Due work has already resumed, so it is unknown whether any work was due.
        return true
    }

    private var seen = Nanoseconds.zero

    // MARK: Messages

    func deliver(_ message: SystemMessage) {
        if case .callback(let id, let callback) = message { callbacks[id] = callback }
        world.listener.send(message, to: token)
    }

    func conclude(_ callback: CallbackID) {
        guard holding == callback else { return }
        holding = nil
        let rest = held
        held = []
        for report in rest { hold(report) }
    }

    func takeReports() -> [Report] {
        guard !isFrozen else { return [] }
        readRecord()
        for said in world.listener.take(of: token) {
            switch said {
            case .attached(let attachment): hold(.attached(attachment))
            case .requested(let request):
                note(request)
                hold(.requested(request))
            case .garbage(let why): reports.append(.misbehaved("has sent an invalid request: \(why)"))
            }
        }
        if let status = child?.reap() {
            readRecord()
            isGone()
            reports.append(.exited(status))
        }
        defer { reports = [] }
        return reports
    }

    /// Adds a report. An acknowledgment waits for the duration of its callback, and all later reports wait behind it.
    private func hold(_ report: Report) {
        guard holding == nil else { return held.append(report) }
        if case .requested(.acknowledge(let id, _)) = report, let callback = callbacks.removeValue(forKey: id) {
            let span = conditions.span(callback)
            if span > .zero {
                holding = id
                held.append(report)
                return conditions.plan(id, span)
            }
        }
        reports.append(report)
    }

    private func note(_ request: AppRequest) {
        switch request {
        case .beginTask(let task): begun[task.id] = task
        case .endTask(let id): begun[id] = nil
        case .acknowledge(_, let open): begun = Dictionary(open.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        case .setIdleTimerDisabled, .eventHandled, .concern: break
        }
    }

    /// The tasks that the app has reported as open. A task begun in the foreground is reported when the app leaves the
    /// foreground.
    var openTasks: [BackgroundTask] { begun.values.filter { !ended.contains($0.id) }.sorted { $0.id < $1.id } }

    func site(of task: TaskID) -> TaskSite? { sites[task] }

    private func readRecord() {
        guard let file = FileHandle(forReadingAtPath: home.record) else { return }
        try? file.seek(toOffset: recordOffset)
        let data = (try? file.readToEnd()) ?? Data()
        // Leave an incomplete line for the next time.
        guard let end = data.lastIndex(of: UInt8(ascii: "\n")) else { return }
        let lines = data[...end]
        recordOffset += UInt64(lines.count)
        for line in lines.split(separator: UInt8(ascii: "\n")) {
            switch TestRecord(String(decoding: line, as: UTF8.self)) {
            case .called(let call): reports.append(.called(call))
            case .posted(let notification): reports.append(.posted(notification))
            case .expired(let task): reports.append(.expired(task))
            case .logged(let line): reports.append(.logged(line))
            case .began(let task, let file, let line): sites[task] = TaskSite(fileID: file, line: line)
            case .ended(let task): ended.insert(task)
            case nil: break
            }
        }
    }

    private static func size(of path: String) -> UInt64 {
        var status = stat()
        return stat(path, &status) == 0 ? UInt64(status.st_size) : 0
    }
}
