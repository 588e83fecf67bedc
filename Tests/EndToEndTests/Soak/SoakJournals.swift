import Foundation
import Glibc

/// Replays every journal of a soak: the same effects must come out.
///
/// The system deletes all but the newest, so each journal gets a second name until it is no longer needed.
final class SoakJournals {
    private let system: TestSystem
    private var taken: Set<String> = []
    /// The journals that the system no longer writes.
    private var waiting: [String] = []
    private var replaying: (child: ChildProcess, files: [String])?
    private var replayed = 0

    private var directory: String { system.directory + "/journals" }
    private var report: String { system.directory + "/replay.txt" }

    init(_ system: TestSystem) {
        self.system = system
        mkdir(directory, 0o700)
    }

    var figures: String { "  \(replayed) journals were run again" }

    /// Gives every journal a second name, and replays those that are complete.
    func keep() throws {
        for name in try journalsOfSystem() where taken.insert(name).inserted {
            guard link("\(system.state)/journal/\(name)", "\(directory)/\(name)") == 0 else {
                throw TestFailure(description: "\(name) can't be kept: \(String(cString: strerror(errno)))")
            }
            waiting.append("\(directory)/\(name)")
        }
        if let replaying, replaying.child.held.isGone { try conclude() }
        // The system may still write the newest.
        if replaying == nil, waiting.count > 1 { try replay(Array(waiting.dropLast())) }
    }

    /// Replays all remaining journals.
    func finish() throws {
        try keep()
        if replaying != nil { try conclude() }
        if !waiting.isEmpty {
            try replay(waiting)
            try conclude()
        }
    }

    private func journalsOfSystem() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: system.state + "/journal").sorted()
    }

    private func replay(_ files: [String]) throws {
        unlink(report)
        let child = try ChildProcess(
            [TestSystem.program, "replay"] + files, environment: system.environment, output: report)
        replaying = (child, files)
        waiting.removeAll { files.contains($0) }
    }

    private func conclude() throws {
        guard let (child, files) = replaying else { return }
        replaying = nil
        let exit = try child.exit(within: 600)
        guard exit == .code(0) else {
            throw TestFailure(description: "a journal does not replay: \(Kernel.text(report) ?? "")")
        }
        replayed += files.count
        for file in files { unlink(file) }
    }
}
