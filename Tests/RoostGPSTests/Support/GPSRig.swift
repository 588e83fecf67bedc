import CRoost
import Foundation
import LifeCycleModel
import RoostGPS
import RoostHelpers
import RoostPorts
import Testing

/// A point in time, by which something has to happen.
struct Deadline {
    /// The longest wait of a test. Long enough for a slow machine, so it only ends waits that would never end.
    static let patience = Nanoseconds.seconds(180)

    private let end = Nanoseconds(croost_monotonic()) + patience

    /// The time that is left, for `poll`.
    var milliseconds: Int32 {
        Int32(clamping: max(0, ((end - Nanoseconds(croost_monotonic())).rawValue + 999_999) / 1_000_000))
    }
    var isOver: Bool { milliseconds == 0 }
}

/// Positions as the supervisor has them, with `roost-gps` as a child of the tests, and the reports so far.
final class GPSRig {
    let source: GPSSource
    let helpers: ChildHelpers
    private(set) var reports: [LocationInput] = []

    init(port: UInt16, program: String = GPSRig.program, user: UInt32? = nil) throws {
        helpers = ChildHelpers(program: program)
        let address = try #require(GPSDAddress("127.0.0.1:\(port)"))
        source = try GPSSource(address, user: user, startedBy: helpers)
    }

    /// `roost-gps`, built in the same folder as the tests.
    static let program: String = {
        let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent("roost-gps").path
    }()

    /// The running processes.
    var pids: [Int32] { helpers.pids }

    /// The positions so far.
    var positions: [LocationFix] {
        reports.compactMap { if case .moved(let fix) = $0 { fix } else { nil } }
    }

    /// Takes the reports that come within this time. Returns whether the source was readable.
    @discardableResult func look(milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: source.descriptor, events: Int16(POLLIN), revents: 0)
        let isReadable = poll(&entry, 1, milliseconds) == 1
        if isReadable { reports += source.takeReports() }
        return isReadable
    }

    /// Waits for a report that `pick` accepts, and calls `feed` at least every tenth of a second until then.
    func wait<Found>(
        for pick: (LocationInput) -> Found?, feeding feed: (() -> Void)? = nil,
        at location: SourceLocation = #_sourceLocation
    ) throws -> Found {
        let deadline = Deadline()
        var looked = 0
        while true {
            while looked < reports.count {
                looked += 1
                if let found = pick(reports[looked - 1]) { return found }
            }
            try #require(!deadline.isOver, "no such report in time: \(reports.suffix(5))", sourceLocation: location)
            feed?()
            look(milliseconds: feed == nil ? deadline.milliseconds : 100)
        }
    }

    /// Waits for the source's end.
    func ending(feeding feed: (() -> Void)? = nil, at location: SourceLocation = #_sourceLocation) throws -> String {
        try wait(
            for: { if case .receiverEnded(let reason) = $0 { reason } else { nil } }, feeding: feed, at: location)
    }

    /// Waits for a position at this latitude, in 1e-7 degree.
    @discardableResult func position(
        at latitude: Int32, feeding feed: (() -> Void)? = nil, at location: SourceLocation = #_sourceLocation
    ) throws -> LocationFix {
        try wait(
            for: { if case .moved(let fix) = $0, fix.latitude == latitude { fix } else { nil } }, feeding: feed,
            at: location)
    }

    /// Writes a program. Another process does it: a child that another test starts meanwhile would inherit this process's
    /// descriptor, and the kernel refuses to execute a file that is open for writing.
    static func write(_ script: String, toProgram path: String) throws {
        let shell = try #require(popen("cat > '\(path)' && chmod 755 '\(path)'", "we"))
        fputs(script, shell)
        try #require(pclose(shell) == 0)
    }
}

/// A directory that is removed with this object.
final class TemporaryDirectory {
    let path: String

    init() throws {
        var template = Array("\(NSTemporaryDirectory())/roost-gps.XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
