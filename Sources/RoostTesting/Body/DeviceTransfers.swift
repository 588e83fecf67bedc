import Foundation
import LifeCycleModel
import LifeCycleSimulation

/// The device's network, the servers behind it, and the engine that downloads from them. All use the device's clock.
@MainActor struct DeviceTransfers {
    var network = VirtualNetwork()
    private var engine = VirtualEngine()
    /// The content of each version of a served file, by URL; the versions are in order.
    private var contents: [String: [[UInt8]]] = [:]

    /// The result of a step: reports for the brain, and the time at which an attempt continues.
    struct Turn {
        var reports: [TransferReport] = []
        var continuesIn: (TransferID, attempt: Int32, span: Nanoseconds)?
    }

    /// Replaces a server's file.
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
        return Turn(continuesIn: (order.id, order.attempt, .zero))
    }

    mutating func stop(_ id: TransferID, at now: Nanoseconds) -> Turn {
        Turn(reports: engine.stop(id, network, at: now).map { [$0] } ?? [])
    }

    /// Continues an attempt whose planned time has come.
    mutating func goOn(_ id: TransferID, attempt: Int32, at now: Nanoseconds) -> Turn {
        let turn = engine.goOn(id, attempt: attempt, nil, network, at: now)
        return Turn(reports: turn.reports, continuesIn: turn.next.map { (id, attempt, $0) })
    }

    /// Moves a complete file into its app's container.
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

    /// Simulates a power loss: of the downloads under way, only synced data remains.
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
