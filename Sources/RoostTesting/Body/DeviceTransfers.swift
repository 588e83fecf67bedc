import Foundation
import LifeCycleModel
import LifeCycleSimulation

/// The device's network, the servers behind it, and the engine that carries downloads from there, all by the device's
/// clock.
@MainActor struct DeviceTransfers {
    var network = VirtualNetwork()
    private var engine = VirtualEngine()
    /// What each version of a served file holds: by its URL, then in the order of the versions.
    private var contents: [String: [[UInt8]]] = [:]

    /// What is to be done of what the brain wants, and when an attempt goes on.
    struct Turn {
        var reports: [TransferReport] = []
        var goesOnIn: (TransferID, attempt: Int32, span: Nanoseconds)?
    }

    /// A server has this from now on, in place of what it had.
    mutating func serve(_ content: [UInt8], at url: String, status: Int32, hasValidator: Bool) {
        contents[url, default: []].append(content)
        network.serve(
            ServedFile(
                size: Int64(content.count), hasValidator: hasValidator, status: status,
                version: Int32(contents[url]?.count ?? 0)),
            at: url)
    }

    mutating func begin(_ order: TransferJob, at now: Nanoseconds) -> Turn {
        engine.begin(order, at: now)
        return Turn(goesOnIn: (order.id, order.attempt, .zero))
    }

    mutating func stop(_ id: TransferID, at now: Nanoseconds) -> Turn {
        Turn(reports: engine.stop(id, network, at: now).map { [$0] } ?? [])
    }

    /// The time that was named for an attempt has come.
    mutating func goOn(_ id: TransferID, attempt: Int32, at now: Nanoseconds) -> Turn {
        let turn = engine.goOn(id, attempt: attempt, nil, network, at: now)
        return Turn(reports: turn.reports, goesOnIn: turn.next.map { (id, attempt, $0) })
    }

    /// Puts a whole file below its app's container.
    mutating func move(_ id: TransferID, from url: String, below container: String) -> Turn {
        if let version = engine.version(id), let content = contents[url]?[Int(version) - 1] {
            let file = URL(fileURLWithPath: container).appendingPathComponent(TransferRecord.file(of: id))
            do {
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(content).write(to: file)
            } catch {
                return Turn(reports: [.moved(id, errno: EIO)])
            }
        }
        return Turn(reports: [.moved(id, errno: engine.move(id) ? nil : ENOENT)])
    }

    /// The power was lost: of what was under way there is what was synced.
    mutating func rebooted(keeping ids: Set<TransferID>) {
        engine.rebooted()
        engine.systemRestarted(keeping: ids)
    }

    mutating func discard(_ id: TransferID, below container: String?) {
        engine.discard(id)
        guard let container else { return }
        let file = "\(container)/\(TransferRecord.file(of: id))"
        for path in [file, file + TransferRecord.keptSuffix, file + TransferRecord.deliveredSuffix] {
            try? FileManager.default.removeItem(atPath: path)
        }
    }
}
