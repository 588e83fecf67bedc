import ArgumentParser
import Glibc
import RoostLinux
import RoostPorts
import RoostStore

/// Thaws without a system.
struct Thaw: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Thaw whatever a system has left frozen. Needs no running system.",
        discussion: """
            A system that runs is left alone: its apps must not run behind its back. Without --all that is an error; \
            with it every system that runs is passed over, wherever its state directory and its sockets are, and \
            so are systems of other users. Where SIGSTOP stands in for cgroups, only this state directory's processes \
            are found.
            """)

    @OptionGroup var state: StateOptions
    @Flag(help: "Thaw the apps of every system on this machine, not only of this state directory's.")
    var all = false
    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let (thawed, passesOver) = try all ? everything() : (own(), false)
        for error in thawed.compactMap(\.error) { writeError("roost: \(error)\n") }
        if json {
            print(try Output.json(thawed.map(Place.init)))
        } else {
            let frozen = thawed.filter { $0.wasFrozen && $0.error == nil }
            for place in frozen { print("thawed \(place.place)") }
            if !thawed.contains(where: \.wasFrozen) {
                print(passesOver ? "nothing else is frozen" : "nothing is frozen")
            }
        }
        if thawed.contains(where: { $0.error != nil }) { throw ExitCode(1) }
    }

    private func own() throws -> [Thawed] {
        let systemID = try state.systemID()
        do {
            return try StateDirectory.whileIdle(state.path) {
                LinuxProcesses.thawAll(
                    systemID: systemID, environment: LinuxProcesses.ownEnvironment, stopped: stopped())
            }
        } catch let error as SystemError {
            throw Failure.refused(error, ifInUse: "it thaws its apps itself, end it first")
        }
    }

    /// What was thawed, and whether a system that runs was passed over.
    private func everything() throws -> ([Thawed], passesOver: Bool) {
        let environment = LinuxProcesses.ownEnvironment
        var outcome: (thawed: [Thawed], running: [String])
        do {
            outcome = try StateDirectory.whileIdle(state.path) {
                LinuxProcesses.thawEverything(environment: environment, stopped: stopped())
            }
        } catch let error as SystemError {
            // Whatever else is wrong with this directory, all others are still to be thawed.
            warn(error.description)
            let own = try? StateDirectory.systemID(of: state.path)
            outcome = LinuxProcesses.thawEverything(environment: environment, stopped: [], sparing: own)
            if let own { outcome.running.append(own) }
            return (outcome.thawed, !outcome.running.isEmpty)
        }
        for id in outcome.running { warn("the system \(id) is running") }
        return (outcome.thawed, !outcome.running.isEmpty)
    }

    private func warn(_ reason: String) { writeError("roost: \(reason): its apps are left as they are\n") }

    /// Processes that may have been stopped by SIGSTOP leave no trace but in the store.
    private func stopped() -> [StoredProcess] {
        do throws(SystemError) {
            return try SQLiteStore.kept(at: state.path + "/store.db")?.launches.compactMap(\.process) ?? []
        } catch {
            writeError("roost: \(error): apps frozen by SIGSTOP are not found\n")
            return []
        }
    }
}

/// A place that was thawed, as JSON has it.
private struct Place: Encodable {
    let place: String
    let wasFrozen: Bool
    let error: String?

    init(_ thawed: Thawed) {
        place = thawed.place
        wasFrozen = thawed.wasFrozen
        error = thawed.error?.description
    }
}
