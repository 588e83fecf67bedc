import ArgumentParser
import Glibc
import RoostLinux
import RoostPorts
import RoostStore

/// Thaws processes without a system.
struct Thaw: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "thaw",
        abstract: "Thaw processes that a system left frozen. Needs no running system.",
        discussion: """
            A running system is never thawed, because its apps would run without its knowledge. Without --all this is an \
            error. With --all, running systems and systems of other users are skipped. If a system freezes its apps by \
            SIGSTOP instead of cgroups, only the processes of this state directory are found.
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

    /// The thawed places, and whether a running system was skipped.
    private func everything() throws -> ([Thawed], passesOver: Bool) {
        let environment = LinuxProcesses.ownEnvironment
        var outcome: (thawed: [Thawed], running: [String])
        do {
            outcome = try StateDirectory.whileIdle(state.path) {
                LinuxProcesses.thawEverything(environment: environment, stopped: stopped())
            }
        } catch let error as SystemError {
            // A problem with this directory must not prevent thawing the other directories.
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

    /// The processes in the store. Only the store shows which processes may have been stopped by SIGSTOP.
    private func stopped() -> [StoredProcess] {
        do throws(SystemError) {
            return try SQLiteStore.kept(at: state.path + "/store.db")?.launches.compactMap(\.process) ?? []
        } catch {
            writeError("roost: \(error): apps frozen by SIGSTOP are not found\n")
            return []
        }
    }
}

/// The JSON form of a thawed place.
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
