internal import CRoost
internal import Glibc
public import LifeCycleModel
public import RoostPorts

/// The kept sockets of apps: a duplicate of each app's descriptor, by `pidfd_getfd`, watched by epoll.
///
/// An app can make three steps take arbitrarily long, so they run on other threads:
///
/// - Getting a duplicate waits while the app executes another program.
/// - Examining a TCP socket waits for the socket's lock, which another process may have.
/// - Closing a socket may wait because of SO_LINGER, and closing a file waits for its file system.
public final class LinuxSockets: SocketWatch {
    /// The most duplicates that are being closed. While so many closings hang, no socket is taken.
    static let mostClosing = 256
    private static let over = EPOLLRDHUP.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue

    private struct Key: Hashable {
        let launch: LaunchID
        let socket: SocketID
    }

    /// A socket that the system wants to watch.
    private struct Place {
        let take: SocketTake
        /// The duplicate; nil while it is not there yet.
        var duplicate: Int32?
    }

    private let aside: (@escaping @Sendable () -> Void) -> Void
    private let results: SocketResults
    private let readiness: Int32
    private var places: [Key: Place] = [:]
    /// The sockets by their duplicates.
    private var owners: [Int32: Key] = [:]
    private var watched: Set<LaunchID> = []
    private var takes: Int64 = 0

    /// Readable when reports can be taken.
    public var descriptor: Int32 { readiness }

    /// A watch without sockets. `aside` runs work that an app may make arbitrarily long, on threads that nothing urgent
    /// waits for. Throws if descriptors have run out.
    public init(aside: @escaping (@escaping @Sendable () -> Void) -> Void) throws(SystemError) {
        self.aside = aside
        results = try SocketResults()
        readiness = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard readiness >= 0 else { throw .now("watch the sockets of apps", "epoll") }
        var event = epoll_event()
        event.events = EPOLLIN.rawValue
        event.data.u64 = UInt64(UInt32(bitPattern: results.descriptor))
        epoll_ctl(readiness, EPOLL_CTL_ADD, results.descriptor, &event)
    }

    deinit {
        let left = results.end() + owners.keys
        // If this process executes another program next, the kernel closes what is still open, and waits for as long as
        // an app has set by SO_LINGER.
        if !left.isEmpty {
            aside { [results] in results.close(left, signaling: true) }
            _ = croost_wait_for(results.descriptor, Int16(POLLIN), 1_000_000_000)
        }
        Glibc.close(readiness)
    }

    /// Carries out work for the launch whose main process is `process`.
    public func perform(_ output: SocketOutput, on process: ProcessHandle?) {
        switch output {
        case .take(let launch, let socket): take(socket, of: launch, from: process)
        case .watch(let launch):
            watched.insert(launch)
            for key in sockets(of: launch) { arm(key) }
        case .unwatch(let launch):
            watched.remove(launch)
            for key in sockets(of: launch) { if let duplicate = places[key]?.duplicate { disarm(duplicate) } }
        case .close(let launch, let id):
            remove(Key(launch: launch, socket: id))
            // The watch of a launch that has ended is not switched off.
            if sockets(of: launch).isEmpty { watched.remove(launch) }
        }
    }

    private func sockets(of launch: LaunchID) -> [Key] { places.keys.filter { $0.launch == launch } }

    // MARK: Duplicates

    private func take(_ socket: KeptSocket, of launch: LaunchID, from process: ProcessHandle?) {
        let key = Key(launch: launch, socket: socket.id)
        remove(key)
        takes += 1
        let take = SocketTake(number: takes, launch: launch, socket: socket)
        let isFree = results.open - places.count < Self.mostClosing
        places[key] = Place(take: take)
        // The process may be collected, and its pidfd closed, before the other thread begins.
        let pidfd = isFree ? process.map { fcntl($0.descriptor, F_DUPFD_CLOEXEC, 0) } ?? -1 : -1
        guard pidfd >= 0 else { return results.post(take, .failed(.notPermitted)) }
        results.begin()
        aside { [results] in take.perform(on: pidfd, reportingTo: results) }
    }

    /// Handles the result of a take. If the socket was closed meanwhile, there is no report.
    private func accept(_ result: SocketResults.Result) -> SocketInput? {
        let (launch, id) = (result.take.launch, result.take.socket.id)
        let key = Key(launch: launch, socket: id)
        guard places[key]?.take.number == result.take.number else {
            if case .taken(let duplicate) = result.outcome { close(duplicate) }
            return nil
        }
        switch result.outcome {
        case .taken(let duplicate):
            places[key]?.duplicate = duplicate
            owners[duplicate] = key
            if watched.contains(launch) { arm(key) }
            return .taken(launch, id, nil)
        case .failed(let failure):
            places[key] = nil
            return .taken(launch, id, failure)
        }
    }

    private func remove(_ key: Key) {
        if let duplicate = places.removeValue(forKey: key)?.duplicate { release(duplicate) }
    }

    private func release(_ duplicate: Int32) {
        disarm(duplicate)
        owners[duplicate] = nil
        close(duplicate)
    }

    private func close(_ duplicate: Int32) { aside { [results] in results.close([duplicate]) } }

    // MARK: The watch

    /// Reports a socket once from now on. If the kernel cannot watch it, it counts as not taken.
    private func arm(_ key: Key) {
        guard let place = places[key], let duplicate = place.duplicate else { return }
        var event = epoll_event()
        event.events = EPOLLIN.rawValue | EPOLLRDHUP.rawValue | EPOLLET.rawValue
        event.data.u64 = UInt64(UInt32(bitPattern: duplicate))
        if epoll_ctl(readiness, EPOLL_CTL_ADD, duplicate, &event) == 0 || errno == EEXIST { return }
        places[key]?.duplicate = nil
        release(duplicate)
        results.post(place.take, .failed(.notPermitted))
    }

    /// Fails if the socket is not watched, which changes nothing.
    private func disarm(_ duplicate: Int32) { epoll_ctl(readiness, EPOLL_CTL_DEL, duplicate, nil) }

    /// The results of takes, and the sockets that can be read.
    public func takeReports() -> [SocketInput] {
        var reports = results.takeAll().compactMap { accept($0) }
        var events = [epoll_event](repeating: epoll_event(), count: 64)
        var count = 0
        repeat {
            count = Int(epoll_wait(readiness, &events, Int32(events.count), 0))
            for event in events.prefix(max(count, 0)) {
                let duplicate = Int32(truncatingIfNeeded: event.data.u64)
                guard let key = owners[duplicate] else { continue }
                // Further data does not wake the loop before the next watch.
                disarm(duplicate)
                reports.append(.readable(key.launch, key.socket, isOver: event.events & Self.over != 0))
            }
        } while count == events.count
        return reports
    }
}
