import AppCore
import Glibc
import LifeCycleModel

/// Sockets that the system watches while the app is suspended.
///
/// A VoIP app without pushes stays connected to its server. It keeps the one TCP socket over which the server announces
/// calls. When data arrives there, or the connection ends, the system wakes the app, and the app finds its own
/// descriptor readable. Then the app has 10 seconds. The system reads nothing of the data. A peer that only shuts down
/// its sending side counts as the end of the connection.
///
/// If the system can no longer watch the socket of a suspended app, for example after its restart, it wakes the app.
/// After a restart RoostKit repeats the request. If the socket is still not watched, RoostKit writes a line to the
/// app's log, and the app must keep the socket again.
///
/// On Apple's platforms the app sets the property `networkServiceType` of a `Stream` instead, which has no effect on
/// Linux. Unix sockets and UDP sockets cannot be kept. When the address of the device changes, the app connects again.
public enum RoostVoIP {
    /// Asks the system to watch a socket while the app is suspended. Any thread.
    ///
    /// The app must declare `voip` in `UIBackgroundModes`. It reads and writes the socket as before. Keep the new
    /// socket after each reconnection to the server, and in each launch. A socket that is kept already may be kept
    /// again, also by another descriptor.
    ///
    /// - Parameters:
    ///   - fileDescriptor: The descriptor of a connected TCP socket. Call `drop(fileDescriptor:)` before you close it.
    ///   - completion: Called once, on the main thread: nil if the system watches the socket, otherwise the reason why
    ///     not. If no system runs, it is called after the next start.
    @preconcurrency public static func keep(
        fileDescriptor: Int32, completion: @escaping @MainActor @Sendable (Failure?) -> Void
    ) {
        keep(fileDescriptor, by: .current, completion)
    }

    /// Asks the system to watch a socket while the app is suspended. Any thread.
    ///
    /// The method returns once the system watches the socket. It waits while no system runs, and ignores cancellation.
    ///
    /// - Parameter fileDescriptor: The descriptor of a connected TCP socket. Call `drop(fileDescriptor:)` before you
    ///   close it.
    /// - Throws: A `Failure` if the system does not watch the socket.
    public static func keep(fileDescriptor: Int32) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            keep(fileDescriptor: fileDescriptor) { failure in
                if let failure { continuation.resume(throwing: failure) } else { continuation.resume() }
            }
        }
    }

    /// Ends the watch of a socket. Any thread.
    ///
    /// Call it before you close the descriptor: the system has a descriptor of its own, which keeps the connection
    /// open. When the system closes its descriptor, it switches SO_LINGER off, also for the app's own descriptor. A
    /// request to keep the socket that is not answered yet fails. Nothing happens if the socket is not kept.
    public static func drop(fileDescriptor: Int32) { drop(fileDescriptor, by: .current) }

    static func keep(_ descriptor: Int32, by app: AppSession, _ completion: @escaping SocketAnswers.Completion) {
        do throws(Failure) {
            let socket = try KeptSocket(descriptor: descriptor)
            let report = SocketAnswers.of(app).remember(completion, descriptor)
            app.changing(for: .sockets) { core, _, steps in
                // The app has closed these without dropping them.
                core.dropSockets(at: descriptor, except: socket.id, into: &steps)
                core.keepSocket(socket, as: report, into: &steps)
            }
        } catch {
            app.onMainThread(isLater: true) { completion(error) }
        }
    }

    static func drop(_ descriptor: Int32, by app: AppSession) {
        // The app may have closed the descriptor already.
        let socket = try? KeptSocket(descriptor: descriptor)
        app.changing(for: .sockets) { core, _, steps in
            if let socket { core.dropSocket(socket.id, into: &steps) }
            core.dropSockets(at: descriptor, into: &steps)
        }
    }
}

extension KeptSocket {
    /// The socket behind a descriptor of this process.
    init(descriptor: Int32) throws(RoostVoIP.Failure) {
        var cookie: UInt64 = 0
        var size = socklen_t(MemoryLayout.size(ofValue: cookie))
        let error = getsockopt(descriptor, SOL_SOCKET, SO_COOKIE, &cookie, &size) == 0 ? 0 : errno
        switch error {
        case 0: break
        case EBADF: throw RoostVoIP.Failure(.notOpen, of: descriptor)
        case ENOTSOCK: throw RoostVoIP.Failure(.notTCP, of: descriptor)
        default: throw RoostVoIP.Failure(.unavailable, of: descriptor)
        }
        guard let number = Int64(exactly: cookie), number > 0 else {
            throw RoostVoIP.Failure(.unavailable, of: descriptor)
        }
        self.init(id: SocketID(rawValue: number), descriptor: descriptor)
    }
}
