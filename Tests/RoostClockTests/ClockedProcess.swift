import CRoostTesting
import Foundation
import Testing

/// A program with its own clock, and its output.
final class ClockedProcess {
    /// A line of output, with the program's clocks in milliseconds since its start.
    struct Line: Hashable {
        let what: String
        let wall: Int
        let awake: Int
    }

    static let wallAtStart = 1_800_000_000_000
    static let awakeAtStart = 5_000_000

    let page: UnsafeMutablePointer<croost_clock_page>
    private let process = Process()
    private let directory: URL
    private let output = Pipe()
    private var text = ""
    let file: String
    private var taken = 0

    var pid: Int32 { process.processIdentifier }

    /// `file` is the path of the page; `other` gives the program another path.
    init(_ arguments: [String], isClocked: Bool = true, under other: String? = nil) throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "roost-clock-\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        file = directory.appending(path: "page").path
        var made: UnsafeMutablePointer<croost_clock_page>?
        let error = croost_clock_create(
            file, UInt64(Self.awakeAtStart) * 1_000_000, UInt64(Self.awakeAtStart) * 2_000_000,
            UInt64(Self.wallAtStart) * 1_000_000, &made)
        page = try #require(made, "no page: \(error)")
        process.executableURL = Self.products.appending(path: "ClockTestApp")
        process.arguments = arguments
        var environment = ProcessInfo.processInfo.environment
        environment["LD_PRELOAD"] = Self.products.appending(path: "libCRoostClock.so").path
        environment[CROOST_CLOCK_VARIABLE] = isClocked ? other ?? file : nil
        process.environment = environment
        process.standardOutput = output
        try process.run()
        guard isClocked, other == nil else { return }
        try waitUntilItSays("ready")
        try settle()
    }

    deinit {
        // The process may be stopped.
        kill(pid, SIGKILL)
        process.waitUntilExit()
        croost_clock_close(page)
        try? FileManager.default.removeItem(at: directory)
    }

    /// The folder of the package's products, which contains the bundle of these tests.
    static let products: URL = {
        var directory = Bundle(for: ClockedProcess.self).bundleURL
        if directory.pathExtension == "xctest" { directory.deleteLastPathComponent() }
        return directory
    }()

    // MARK: Time

    /// Advances time from one due wait to the next.
    func advance(_ seconds: Double, pid: Int32? = nil) throws {
        let error = croost_clock_advance(page, pid ?? self.pid, Self.nanoseconds(seconds), 20_000)
        try #require(error == 0, "advancing: \(String(cString: strerror(error)))")
    }

    /// Moves the clocks at once, and does not wait.
    func move(_ seconds: Double, elapsed: Double? = nil, wall: Double? = nil) {
        croost_clock_move(
            page, Self.nanoseconds(seconds), Self.nanoseconds(elapsed ?? seconds),
            Int64((wall ?? seconds) * 1_000_000_000))
    }

    func settle() throws {
        let error = croost_clock_wait_idle(page, pid, 20_000)
        try #require(error == 0, "settling: \(String(cString: strerror(error)))")
    }

    var secondsUntilDue: Double? {
        let left = croost_clock_until_due(page, pid)
        return left == UInt64.max ? nil : Double(left) / 1_000_000_000
    }

    private static func nanoseconds(_ seconds: Double) -> UInt64 { UInt64((seconds * 1_000_000_000).rounded()) }

    // MARK: Output

    /// The output since the last call, without "ready".
    func lines() throws -> [Line] {
        let all = try said()
        defer { taken = all.count }
        return all.dropFirst(taken).filter { $0.what != "ready" }
    }

    func whats() throws -> [String] { try lines().map(\.what) }

    /// Waits in real time, without the page, because the program may not have attached to the page yet.
    func waitUntilItSays(_ what: String) throws {
        let limit = ContinuousClock.now + .seconds(20)
        while try !said(waitingAtMost: 100).contains(where: { $0.what == what }) {
            try #require(ContinuousClock.now < limit, "the app never printed \(what)")
            try #require(process.isRunning, "the app ended before it printed \(what)")
        }
    }

    private func said(waitingAtMost milliseconds: Int32 = 0) throws -> [Line] {
        var file = pollfd(fd: output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
        if poll(&file, 1, milliseconds) > 0 {
            text += String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        }
        return try text.split(separator: "\n").map { line in
            let parts = line.split(separator: " ")
            try #require(parts.count == 3, "\(line)")
            let wall = try #require(Int(parts[1])), awake = try #require(Int(parts[2]))
            return Line(what: String(parts[0]), wall: wall - Self.wallAtStart, awake: awake - Self.awakeAtStart)
        }
    }
}
