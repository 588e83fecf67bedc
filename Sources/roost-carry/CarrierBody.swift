import CRoost
import Glibc
import LifeCycleModel
import RoostCarrier
import RoostHelpers
import RoostPorts
import RoostTransfers

/// The process's side of the stream to the supervisor: it receives orders, passes them to the engine, and returns the
/// engine's reports. It makes no decisions.
final class CarrierBody: LoopCompanion {
    private var channel: HelperChannel
    private var engine: HTTPTransferEngine?

    init(taking descriptor: Int32) { channel = HelperChannel(taking: descriptor, longest: CarrierOrder.longest) }

    /// Runs until the supervisor has gone.
    func run() -> Never {
        // The first order has the settings.
        while engine == nil {
            var entry = pollfd(fd: channel.descriptor, events: Int16(POLLIN), revents: 0)
            poll(&entry, 1, -1)
            receiveOrders()
        }
        engine?.run(beside: self)
        leave()
    }

    var awaited: [(descriptor: Int32, forWriting: Bool)] {
        let own = (descriptor: channel.descriptor, forWriting: channel.isSendingLate)
        // While the supervisor does not read, reports wait in the engine.
        guard let engine, !own.forWriting else { return [own] }
        return [own, (engine.descriptor, false)]
    }

    func isReady(_ descriptor: Int32) {
        if descriptor == channel.descriptor {
            channel.flush()
            receiveOrders()
        } else {
            passReports()
        }
    }

    func rested() { channel.send(CarrierWord.resting.frame) }

    private func passReports() {
        guard let engine else { return }
        for report in engine.takeReports() { channel.add(CarrierWord.report(report).frame) }
        // Usually one system call sends all of them, and wakes the supervisor once.
        channel.flush()
    }

    private func receiveOrders() {
        if channel.receive() == .hungUp { leave() }
        do throws(Malformed) {
            while let bytes = try channel.next() { follow(try CarrierOrder(bytes)) }
        } catch {
            giveUp("invalid order")
        }
    }

    private func follow(_ order: CarrierOrder) {
        switch (order, engine) {
        case (.settings(let settings), nil): begin(settings)
        case (.begin(let job), let engine?): engine.begin(job)
        case (.stop(let id), let engine?): engine.stop(id)
        case (.settings, _), (.begin, nil), (.stop, nil): giveUp("order out of sequence")
        }
    }

    private func begin(_ settings: CarrierSettings) {
        var options = TransferOptions(directory: settings.directory, bootID: settings.bootID)
        options.additionalRoots = settings.additionalRoots
        options.reservedAhead = settings.reservedAhead
        options.roomLeft = settings.roomLeft
        options.allowsLinkLocal = settings.allowsLinkLocal
        do throws(SystemError) {
            try Confinement(settings: settings, channel: channel.descriptor).takeEffect()
            engine = try HTTPTransferEngine(runByOwner: options)
        } catch {
            giveUp("\(error)")
        }
    }

    private func giveUp(_ reason: String) -> Never {
        channel.send(CarrierWord.gaveUp(String(reason.prefix(500))).frame)
        _exit(1)
    }

    /// Exits at once. As after a crash, transfers resume from the bytes on disk.
    private func leave() -> Never { _exit(0) }
}
