internal import CRoost
internal import Glibc
public import LifeCycleModel
public import RoostPorts

/// The kept sockets of apps: a duplicate of each app's descriptor, by `pidfd_getfd`, watched by epoll.
///
/// Each duplicate has an epoll of its own, which notes new data and the end of the connection also while the app runs,
/// and wakes nothing. Only a watch looks at it. So data that an app leaves unread is told from new data.
///
/// An app can make three steps take arbitrarily long, so they run on other threads, one at a time for each app:
///
/// - Getting a duplicate waits while the app executes another program.
/// - Examining a TCP socket waits for the socket's lock, which another process may have.
/// - Closing a socket may wait because of SO_LINGER, and closing a file waits for its file system.
public final class LinuxSockets: SocketWatch {
    /// The end of a connection, also by a reset. The kernel reports an error alone for the error queue, too.
    private static let over = EPOLLRDHUP.rawValue | EPOLLHUP.rawValue

    private struct Key: Hashable {
        let launch: LaunchID
        let socket: SocketID
    }

    /// A socket that the system wants to watch.
    private struct Place {
        let take: SocketTake
        /// The duplicate; nil while it is not there yet.
        var duplicate: SocketDuplicate?
        var left = LeftData()
    }

    private let aside: (@escaping @Sendable () -> Void) -> Void
    private let results: SocketResults
    private let readiness: Int32
    private var places: [Key: Place] = [:]
    /// The sockets by the epolls of their duplicates.
    private var owners: [Int32: Key] = [:]
    private var watched: Set<LaunchID> = []
    /// The work of each app, oldest first. The first piece is under way.
    private var jobs: [AppID: [SocketJob]] = [:]
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
        add(results.descriptor)
    }

    deinit {
        // The first piece of each app's work is under way, and ends by itself.
        let waiting = jobs.values.flatMap { $0.dropFirst() }
        let left = results.end() + places.values.compactMap(\.duplicate) + waiting.compactMap(\.duplicate)
        for job in waiting { job.cancel() }
        // If this process executes another program next, the kernel closes what is still open, and waits for as long as
        // an app has set by SO_LINGER.
        if !left.isEmpty {
            aside { [results] in
                for duplicate in left { duplicate.close() }
                results.signal()
            }
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

    // MARK: Work on other threads

    private func post(_ job: SocketJob, for app: AppID) {
        jobs[app, default: []].append(job)
        if jobs[app]?.count == 1 { begin(job, for: app) }
    }

    private func begin(_ job: SocketJob, for app: AppID) {
        aside { [results] in
            job.perform(reportingTo: results)
            results.finish(app)
        }
    }

    private func finished(_ app: AppID) {
        jobs[app]?.removeFirst()
        if let next = jobs[app]?.first { begin(next, for: app) } else { jobs[app] = nil }
    }

    /// Drops a take that has not begun.
    private func cancel(_ take: SocketTake) {
        let app = take.launch.app
        let index = jobs[app]?.dropFirst().firstIndex { $0.isTake(take.number) }
        if let index { jobs[app]?.remove(at: index).cancel() }
    }

    // MARK: Duplicates

    private func take(_ socket: KeptSocket, of launch: LaunchID, from process: ProcessHandle?) {
        let key = Key(launch: launch, socket: socket.id)
        remove(key)
        takes += 1
        let take = SocketTake(number: takes, launch: launch, socket: socket)
        places[key] = Place(take: take)
        // The process may be collected, and its pidfd closed, before the other thread begins.
        let pidfd = process.map { fcntl($0.descriptor, F_DUPFD_CLOEXEC, 0) } ?? -1
        guard pidfd >= 0 else { return results.post(take, .failed(.unavailable)) }
        post(.take(take, pidfd: pidfd), for: launch.app)
    }

    /// Handles the result of a take. If the socket was closed meanwhile, there is no report.
    private func accept(_ result: SocketResults.Result) -> SocketInput? {
        let (launch, id) = (result.take.launch, result.take.socket.id)
        let key = Key(launch: launch, socket: id)
        guard places[key]?.take.number == result.take.number else {
            if case .taken(let duplicate) = result.outcome { post(.close(duplicate), for: launch.app) }
            return nil
        }
        switch result.outcome {
        case .taken(let duplicate):
            places[key]?.duplicate = duplicate
            owners[duplicate.news] = key
            if watched.contains(launch) { arm(key) }
            return .taken(launch, id, nil)
        case .failed(let failure):
            places[key] = nil
            return .taken(launch, id, failure)
        }
    }

    private func remove(_ key: Key) {
        guard let place = places.removeValue(forKey: key) else { return }
        if let duplicate = place.duplicate { release(duplicate, of: key.launch.app) } else { cancel(place.take) }
    }

    private func release(_ duplicate: SocketDuplicate, of app: AppID) {
        disarm(duplicate)
        owners[duplicate.news] = nil
        post(.close(duplicate), for: app)
    }

    // MARK: The watch

    /// Reports a socket once from now on. If the kernel cannot watch it, it counts as not taken.
    private func arm(_ key: Key) {
        guard let place = places[key], let duplicate = place.duplicate else { return }
        let hasNews = duplicate.takeNews() != nil
        if places[key]?.left.watchBegins(hasNews: hasNews) == true { duplicate.renewNews() }
        if add(duplicate.news) { return }
        places[key]?.duplicate = nil
        release(duplicate, of: key.launch.app)
        results.post(place.take, .failed(.unavailable))
    }

    @discardableResult private func add(_ descriptor: Int32) -> Bool {
        var event = epoll_event()
        event.events = EPOLLIN.rawValue
        event.data.u64 = UInt64(UInt32(bitPattern: descriptor))
        return epoll_ctl(readiness, EPOLL_CTL_ADD, descriptor, &event) == 0 || errno == EEXIST
    }

    /// Fails if the socket is not watched, which changes nothing.
    private func disarm(_ duplicate: SocketDuplicate) { epoll_ctl(readiness, EPOLL_CTL_DEL, duplicate.news, nil) }

    /// The results of takes, and the sockets that can be read.
    public func takeReports() -> [SocketInput] {
        var reports: [SocketInput] = []
        let (taken, finished) = results.takeAll()
        for result in taken { if let report = accept(result) { reports.append(report) } }
        for app in finished { self.finished(app) }
        var events = [epoll_event](repeating: epoll_event(), count: 64)
        var count = 0
        repeat {
            count = Int(epoll_wait(readiness, &events, Int32(events.count), 0))
            for event in events.prefix(max(count, 0)) {
                let news = Int32(truncatingIfNeeded: event.data.u64)
                guard let key = owners[news], let duplicate = places[key]?.duplicate else { continue }
                // The data may have been read meanwhile.
                guard let state = duplicate.takeNews() else { continue }
                // Further data does not wake the loop before the next watch.
                disarm(duplicate)
                places[key]?.left.reported()
                reports.append(.readable(key.launch, key.socket, isOver: state & Self.over != 0))
            }
        } while count == events.count
        return reports
    }
}
