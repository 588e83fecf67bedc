import LifeCycleModel
import RoostPorts

@testable import RoostRuntime

/// A machine whose network and power the test changes.
final class FakeSurroundings {
    let links: Links
    let supplies: Supplies

    init(isConnected: Bool = true, power: (PowerSource, Int32)? = nil) throws {
        links = try Links(isConnected)
        supplies = try Supplies(power)
    }

    final class Links: LinkWatch {
        private let changes: Mailbox<Bool>
        private var now: Bool
        var descriptor: Int32 { changes.descriptor }

        init(_ isConnected: Bool) throws {
            now = isConnected
            changes = try Mailbox()
        }

        func set(_ isConnected: Bool) { changes.post(isConnected) }

        func isConnected() -> Bool {
            now = changes.takeAll().last ?? now
            return now
        }
    }

    final class Supplies: PowerSupplyWatch {
        private let changes: Mailbox<Power>
        private var now: (PowerSource, Int32)?
        var descriptor: Int32 { changes.descriptor }

        struct Power: Sendable {
            let source: PowerSource
            let level: Int32
        }

        init(_ power: (PowerSource, Int32)?) throws {
            now = power
            changes = try Mailbox()
        }

        func set(_ source: PowerSource, _ level: Int32) { changes.post(Power(source: source, level: level)) }

        func state() -> (source: PowerSource, batteryLevel: Int32)? {
            if let last = changes.takeAll().last { now = (last.source, last.level) }
            return now.map { (source: $0.0, batteryLevel: $0.1) }
        }
    }
}
