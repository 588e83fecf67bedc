import Foundation
import Glibc

/// Measurements that may not grow: descriptors, memory, files.
struct SoakMeasures {
    /// A process, and its memory once it has reached its working size.
    private struct Baseline {
        var pid: Int32 = 0
        var memory: Int?
        var looks = 0
        /// The looks in a row with more descriptors than allowed. Connections and pipes that are about to be closed are
        /// no leak, so one look is not enough.
        var excesses = 0
    }

    private var supervisor = Baseline()
    private var guardian = Baseline()
    private var most: [String: Int] = [:]

    /// The descriptors of a system for itself and for each running app: its process, its cgroup's files, and its two
    /// connections. Any further descriptor is a leak. An app that was found frozen after a restart has no connections,
    /// so an earlier count with as many apps is no measure.
    private static let descriptors = (own: 48, perApp: 7)
    /// The looks in a row that show a leak.
    private static let mostExcesses = 10
    /// The growth allowed for a supervisor's own memory, in KiB: it remembers a fixed number of decisions for each app.
    private static let memorySlack = 24 << 10
    /// The newest journals, each with one entry beyond its limit.
    private static let journalBytes = 5 * (65 << 20)
    /// An app's log, its rotated log, and the growth while the app runs.
    private static let logBytes = 32 << 20

    var figures: String {
        most.sorted { $0.key < $1.key }.map { "  most \($0.key): \($0.value)" }.joined(separator: "\n")
    }

    mutating func supervisorIsNew() { supervisor = Baseline() }

    mutating func measure(_ system: TestSystem, running: Int) throws {
        try Self.measure(system.supervisor?.pid, "supervisor", running, &supervisor, &most)
        try Self.measure(system.guardian?.pid, "guardian", running, &guardian, &most)
    }

    private static func measure(
        _ pid: Int32?, _ name: String, _ running: Int, _ baseline: inout Baseline, _ most: inout [String: Int]
    ) throws {
        guard let pid else { return }
        if baseline.pid != pid { baseline = Baseline(pid: pid) }
        baseline.looks += 1
        let targets = descriptors(of: pid)
        most["descriptors of a \(name)"] = max(most["descriptors of a \(name)"] ?? 0, targets.count)
        let isExcess = targets.count > Self.descriptors.own + Self.descriptors.perApp * running
        baseline.excesses = isExcess ? baseline.excesses + 1 : 0
        guard baseline.excesses < Self.mostExcesses else {
            throw TestFailure(
                description: "the \(name) has \(targets.count) descriptors with \(running) apps: "
                    + targets.sorted().joined(separator: ", "))
        }
        // By now the process has reached its working size.
        guard baseline.looks > 20, let memory = anonymousMemory(of: pid) else { return }
        most["KiB of memory of a \(name)"] = max(most["KiB of memory of a \(name)"] ?? 0, memory)
        let before = baseline.memory ?? memory
        baseline.memory = before
        guard memory <= before + memorySlack else {
            throw TestFailure(description: "the \(name)'s memory has grown from \(before) KiB to \(memory) KiB")
        }
    }

    /// The files, sockets and pipes that a process has open.
    private static func descriptors(of pid: Int32) -> [String] {
        let folder = "/proc/\(pid)/fd"
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        // A descriptor may have been closed since.
        return numbers.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)") }
    }

    private static func anonymousMemory(of pid: Int32) -> Int? {
        let line = Kernel.text("/proc/\(pid)/status")?.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
        return line?.split(separator: " ").dropLast().last.flatMap { Int($0.trimmingCharacters(in: .whitespaces)) }
    }

    mutating func measureDisk(_ system: TestSystem) throws {
        let journals = Self.sizes(in: system.state + "/journal")
        guard journals.count <= 5, journals.values.reduce(0, +) <= Self.journalBytes else {
            throw TestFailure(description: "the journals are too large: \(journals)")
        }
        for (name, size) in Self.sizes(in: system.state + "/logs") where size > Self.logBytes {
            throw TestFailure(description: "\(name) has grown to \(size) bytes")
        }
        let store = ["", "-wal", "-shm"].map { Self.size("\(system.state)/store.db\($0)") }.reduce(0, +)
        guard store <= 64 << 20 else { throw TestFailure(description: "the store has grown to \(store) bytes") }
        most["KiB of journals"] = max(most["KiB of journals"] ?? 0, journals.values.reduce(0, +) >> 10)
        most["KiB of store"] = max(most["KiB of store"] ?? 0, store >> 10)
    }

    private static func sizes(in folder: String) -> [String: Int] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return Dictionary(names.map { ($0, size("\(folder)/\($0)")) }) { $1 }
    }

    private static func size(_ path: String) -> Int {
        (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
    }
}
