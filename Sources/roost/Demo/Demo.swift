import ArgumentParser
import Foundation
import RoostLinux
import RoostPorts
import RoostRuntime

/// Demonstrates the life cycle with real processes.
struct Demo: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Show the life cycle with real processes and shortened limits, in under a minute.",
        discussion: """
            Starts a system of its own in a temporary directory and takes the example apps through it. Each line shows \
            the time, the user's action, the app's callback, its state, and the kernel's own evidence. At the end the \
            system's journal is replayed under the simulator's invariants. Exits with 1 if a check failed.
            """)

    @Option(
        help: ArgumentHelp(
            "The folder of the example apps; Examples/build fills Examples/.build/apps.", valueName: "directory"))
    var apps: String?
    @Option(
        help: ArgumentHelp("Keep the system's journals in this directory, for `roost replay`.", valueName: "directory"),
        completion: .directory)
    var journals: String?

    func run() throws {
        let apps = try examples()
        let journals = try journals.map(place)
        do {
            DemoInterruption.watch()
            let system = try DemoSystem()
            defer { system.end() }
            var stage = DemoStage(system: system)
            try stage.play(apps: apps)
            stage.checkJournals()
            if let journals { try keep(Journal.files(in: system.state + "/journal"), in: journals) }
            stage.printSummary()
            if !stage.findings.isEmpty { throw ExitCode(1) }
        } catch let error as SystemError {
            throw Failure.failed(error.description)
        }
    }

    /// Creates the directory for journals before the demonstration begins, and returns its path.
    private func place(_ directory: String) throws -> String {
        let path = absolute(directory)
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw Failure.failed("cannot create \(path): \(error.localizedDescription)")
        }
        let there = Journal.files(in: path)
        guard there.isEmpty else {
            throw Failure.failed("there is a journal in \(path) already: name another directory")
        }
        return path
    }

    private func keep(_ files: [String], in directory: String) throws {
        for file in files {
            let copy = directory + "/" + (file.split(separator: "/").last ?? "")
            do {
                try FileManager.default.copyItem(atPath: file, toPath: copy)
            } catch {
                throw Failure.failed("cannot write \(copy): \(error.localizedDescription)")
            }
        }
    }

    private func examples() throws -> String {
        let environment = LinuxProcesses.ownEnvironment
        let binary = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let checkout = binary.components(separatedBy: "/.build/").first ?? ""
        let candidates = [
            apps.map(absolute), environment["ROOST_EXAMPLES"], absolute("Examples/.build/apps"),
            checkout + "/Examples/.build/apps",
        ].compactMap { $0 }
        for candidate in apps == nil ? candidates : [candidates[0]]
        where FileManager.default.fileExists(atPath: candidate + "/Notepad.app/Info.plist") {
            return candidate
        }
        throw Failure.failed("the example apps are missing in \(candidates[0]): build them with Examples/build")
    }
}
