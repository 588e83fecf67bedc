import ArgumentParser
import Glibc
import LifeCycleModel
import Logging
import RoostLinux
import RoostPorts
import RoostStore

/// Replaces a damaged store.
struct Recover: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recover",
        abstract: "Set a damaged store aside, and find the installed apps again.",
        discussion: """
            For a state directory whose store.db is damaged: the file is moved to lost+found-DATE in the state directory, \
            and a new store is made from the installed apps' bundles. Every app keeps its container. Settings, scheduled \
            notifications, active downloads and force quits are lost, because only the store had them. An intact store \
            is not changed. No file is deleted, and no system may run meanwhile. Apps that still run are not in the \
            new store: the next `roost up` ends them.
            """)

    @OptionGroup var state: StateOptions

    func run() throws {
        try state.checkOwner()
        do {
            try StateDirectory.whileIdle(state.path) { try recover() }
        } catch let error as SystemError {
            throw Failure.refused(error)
        } catch let error as BundleError {
            throw Failure.failed(error.description)
        }
    }

    private func recover() throws {
        var left = LeftFiles(state: state.path)
        try left.setAsideLogOfLostStore()
        let (store, isNew) = try wholeStore(&left)
        try left.tidyUp(store)
        for remark in left.remarks {
            let metadata = remark.metadata.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            print(([remark.text] + metadata).joined(separator: " "))
        }
        if left.remarks.isEmpty {
            print("nothing was wrong")
        } else {
            // A new store does not know the apps' processes.
            let loss = isNew ? ", which ends the apps that still run" : ""
            print("start the system with \(state.command("up"))\(loss)")
        }
        if left.remarks.contains(where: { $0.level == .error }) { throw ExitCode(1) }
    }

    /// The store. A damaged store is moved aside and replaced by a new store.
    private func wholeStore(_ left: inout LeftFiles) throws(SystemError) -> (store: SQLiteStore, isNew: Bool) {
        let path = state.path + "/store.db"
        do throws(SystemError) {
            let store = try SQLiteStore(path: path)
            _ = try store.load()
            return (store, false)
        } catch {
            guard error.errno == EUCLEAN else { throw error }
        }
        try left.setAsideStore()
        return (try SQLiteStore(path: path), true)
    }
}
