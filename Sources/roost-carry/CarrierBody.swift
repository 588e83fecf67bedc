import CRoost
import Glibc
import LifeCycleModel
import RoostCarrier
import RoostPorts
import RoostTransfers

/// The main loop of the process: it receives orders, passes them to the engine, and returns the engine's reports. It
/// makes no decisions.
struct CarrierBody: ~Copyable {
    private var channel: CarrierChannel
    private var engine: HTTPTransferEngine?
    private var underWay: Set<TransferID> = []
    private var hasSaidThatItRests = false

    /// How long the process keeps its connections before it reports that it is idle, in milliseconds.
    private static let linger: Int32 = 2000

    init(taking descriptor: Int32) { channel = CarrierChannel(taking: descriptor, longest: CarrierOrder.longest) }

    /// Runs until the supervisor has gone.
    consuming func run() -> Never {
        while true {
            sleep()
            passReports()
            if channel.receive() == .hungUp { leave() }
            do throws(Malformed) {
                while let bytes = try channel.next() { follow(try CarrierOrder(bytes)) }
            } catch {
                giveUp("invalid order")
            }
        }
    }

    private mutating func sleep() {
        var watched = [pollfd(fd: channel.descriptor, events: Int16(POLLIN), revents: 0)]
        if channel.isSendingLate { watched[0].events |= Int16(POLLOUT) }
        // While the supervisor does not read, reports wait in the engine.
        if let engine, !channel.isSendingLate {
            watched.append(pollfd(fd: engine.descriptor, events: Int16(POLLIN), revents: 0))
        }
        let isResting = underWay.isEmpty && !hasSaidThatItRests
        if poll(&watched, nfds_t(watched.count), isResting ? Self.linger : -1) == 0 {
            hasSaidThatItRests = true
            channel.send(CarrierWord.resting.frame)
        }
        channel.flush()
    }

    private mutating func passReports() {
        guard let engine, !channel.isSendingLate else { return }
        for report in engine.takeReports() {
            switch report {
            case .completed(let id, _, _, _), .failed(let id, _, _), .stopped(let id, _, _): underWay.remove(id)
            case .responded, .progressed, .checkpointed, .moved: break
            }
            channel.add(CarrierWord.report(report).frame)
        }
        // Usually one system call sends all of them, and wakes the supervisor once.
        channel.flush()
    }

    private mutating func follow(_ order: CarrierOrder) {
        switch (order, engine) {
        case (.settings(let settings), nil): begin(settings)
        case (.begin(let job), let engine?):
            underWay.insert(job.id)
            hasSaidThatItRests = false
            engine.begin(job)
        case (.stop(let id), let engine?): engine.stop(id)
        case (.settings, _), (.begin, nil), (.stop, nil): giveUp("order out of sequence")
        }
    }

    private mutating func begin(_ settings: CarrierSettings) {
        var options = TransferOptions(directory: settings.directory, bootID: settings.bootID)
        options.additionalRoots = settings.additionalRoots
        options.reservedAhead = settings.reservedAhead
        options.roomLeft = settings.roomLeft
        options.allowsLinkLocal = settings.allowsLinkLocal
        do throws(SystemError) {
            try Confinement(settings: settings, channel: channel.descriptor).takeEffect()
            engine = try HTTPTransferEngine(options)
        } catch {
            giveUp("\(error)")
        }
    }

    private mutating func giveUp(_ reason: String) -> Never {
        channel.send(CarrierWord.gaveUp(String(reason.prefix(500))).frame)
        _exit(1)
    }

    /// Exits at once. As after a crash, transfers resume from the bytes on disk.
    private func leave() -> Never { _exit(0) }
}
