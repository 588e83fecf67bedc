import ArgumentParser
import Glibc
import RoostPorts
import RoostStore

/// Confirms the system's id of a state directory that was moved or restored.
struct Restore: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Let a state directory that was moved or copied back keep its system's id.",
        discussion: """
            The id of a system belongs to one directory: `roost up` gives a copy an id of its own, so that it can run \
            beside the original. If the original is gone, run this before the first `roost up` on the copy.
            """)

    @OptionGroup var state: StateOptions

    func run() throws {
        try state.checkOwner()
        do {
            try StateDirectory.whileIdle(state.path) {
                guard let id = try StateDirectory.claim(state.path) else {
                    throw Failure.noSystem("no system has run in \(state.path): there is no id to keep")
                }
                print("\(state.path) is the directory of the system \(id)")
            }
        } catch let error as SystemError {
            throw Failure.refused(error)
        }
    }
}
