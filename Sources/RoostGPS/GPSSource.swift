internal import CRoost
internal import Glibc
public import LifeCycleModel
public import RoostHelpers
public import RoostPorts

/// Positions from gpsd, read by a separate process (`roost-gps`). The supervisor's own process never parses data from
/// gpsd.
///
/// The process runs while the receiver is on. It is not started again if it ends by itself.
public final class GPSSource: LocationSource {
    private let settings: GPSSettings
    private let starter: any HelperStarter
    private let readiness: Int32
    /// Readable while the reason of a failed start waits to be taken.
    private let failures: Int32
    private var link: GPSLink?
    private var lastNumber: Int64 = 0
    private var failure: String?

    /// Readable when reports can be taken.
    public var descriptor: Int32 { readiness }

    /// A receiver that is off. `user` is the uid and gid of the process; nil for the system's own.
    public init(
        _ address: GPSDAddress, user: UInt32? = nil, startedBy starter: any HelperStarter
    ) throws(SystemError) {
        settings = GPSSettings(host: address.host, port: address.port, user: user)
        self.starter = starter
        readiness = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard readiness >= 0 else { throw .now("watch the receiver of positions", "epoll") }
        failures = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard failures >= 0 else {
            let error = SystemError.now("watch the receiver of positions", "eventfd")
            close(readiness)
            throw error
        }
        watch(failures)
    }

    deinit {
        if let number = link?.number { starter.endHelper(number) }
        close(failures)
        close(readiness)
    }

    /// Starts or ends the process. A failed start is reported by `takeReports`.
    public func setReceiver(_ isOn: Bool) {
        if isOn { start() } else { end() }
    }

    private func start() {
        guard link == nil else { return }
        lastNumber += 1
        do throws(SystemError) {
            let descriptor = try starter.startHelper(lastNumber)
            link = GPSLink(
                number: lastNumber, taking: descriptor, settings, at: Nanoseconds(croost_monotonic()))
            watch(descriptor)
        } catch {
            failure = "\(error)"
            eventfd_write(failures, 1)
        }
    }

    private func end() {
        takeFailure()
        guard let number = link?.number, let descriptor = link?.descriptor else { return }
        epoll_ctl(readiness, EPOLL_CTL_DEL, descriptor, nil)
        link = nil
        starter.endHelper(number)
    }

    private func watch(_ descriptor: Int32) {
        var event = epoll_event()
        event.events = EPOLLIN.rawValue
        epoll_ctl(readiness, EPOLL_CTL_ADD, descriptor, &event)
    }

    @discardableResult private func takeFailure() -> String? {
        var count = eventfd_t()
        eventfd_read(failures, &count)
        defer { failure = nil }
        return failure
    }

    /// The positions so far, at the wall clock's time of now, and the end of the source.
    public func takeReports() -> [LocationInput] {
        var reason = takeFailure()
        var positions: [LocationFix] = []
        if let ended = link?.look(at: Nanoseconds(croost_monotonic()), into: &positions) {
            reason = ended
            end()
        }
        let now = Nanoseconds(croost_realtime())
        return positions.map { .moved($0.at(now)) } + (reason.map { [.receiverEnded(Self.line($0))] } ?? [])
    }

    /// A reason as one line. The process may have written any text.
    private static func line(_ reason: String) -> String {
        String(reason.visible.prefix(LocationInput.longestReason))
    }
}
