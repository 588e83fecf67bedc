import ArgumentParser
import FoundationEssentials
import RoostLinux
import RoostPorts

/// Shows all of it, with real processes.
struct Demo: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the life cycle with real processes and shortened limits, in under a minute.",
        discussion: """
            Starts a system of its own in a temporary directory and takes the example apps through it. Each line has \
            the time, what was done, what the app was told, its state, and the kernel's own evidence. At the end the \
            system's journal is run again under the simulator's invariants. Exits with 1 if anything was not as it \
            should be.
            """)

    @Option(
        help: ArgumentHelp(
            "Where the example apps are; Examples/build puts them into Examples/.build/apps.", valueName: "directory"))
    var apps: String?

    func run() throws {
        let apps = try examples()
        do {
            DemoInterruption.watch()
            let system = try DemoSystem()
            defer { system.end() }
            var stage = DemoStage(system: system)
            try stage.play(apps: apps)
            stage.checkJournals()
            stage.printSummary()
            if !stage.findings.isEmpty { throw ExitCode(1) }
        } catch let error as SystemError {
            throw Failure.failed(error.description)
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
        throw Failure.failed("the example apps are not in \(candidates[0]): build them with Examples/build")
    }
}
