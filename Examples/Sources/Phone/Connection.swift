import Foundation
import Glibc
import UIKit

/// A TCP connection to the server, which the system watches while the app is suspended. Main thread only.
@MainActor
final class Connection {
    enum Event {
        /// The numeric address and the port of this side.
        case opened(address: String, port: UInt16)
        /// Data has arrived, and is not read yet.
        case arrived
        case received([UInt8])
        /// All data is read.
        case idle
        /// The last event.
        case ended(Problem)
    }

    /// The most bytes that wait to be sent.
    private static let mostUnsent = 256 * 1024
    /// The most bytes that are read in one iteration of the event loop.
    private static let mostRead = 256 * 1024
    private static let patience: TimeInterval = 20

    private let descriptor: Descriptor
    private let handle: @MainActor (Event) -> Void
    private var reader: (any DispatchSourceRead)?
    private var writer: (any DispatchSourceWrite)?
    private var unsent: [UInt8] = []
    private var isOpen = false
    private var isOver = false
    private var limit: DispatchWorkItem?

    /// Begins to connect.
    init(to address: SocketAddress, handle: @escaping @MainActor (Event) -> Void) throws(Problem) {
        self.handle = handle
        descriptor = try Descriptor(family: address.family)
        let error = address.connect(descriptor)
        guard error == 0 || error == EINPROGRESS else { throw Descriptor.problem("cannot connect", error) }
        whenWritable { [weak self] in self?.open() }
        let limit = DispatchWorkItem { [weak self] in self?.end(Problem("the server does not answer")) }
        DispatchQueue.main.asyncAfter(deadline: .now() + Self.patience, execute: limit)
        self.limit = limit
    }

    /// Sends bytes, or stores them until the server has read others. A failure is an event, which comes later.
    func send(_ bytes: [UInt8]) {
        guard isOpen, !isOver else { return }
        unsent += bytes
        write()
    }

    /// Closes the connection. No event comes any longer.
    func close() {
        guard !isOver else { return }
        isOver = true
        limit?.cancel()
        // The system has a descriptor of its own: without this, the connection would stay open.
        RoostVoIP.drop(fileDescriptor: descriptor.number)
        shutdown(descriptor.number, Int32(SHUT_RDWR))
        reader?.cancel()
        writer?.cancel()
        (reader, writer, unsent) = (nil, nil, [])
    }

    private func end(_ problem: Problem) {
        guard !isOver else { return }
        close()
        handle(.ended(problem))
    }

    private func endLater(_ problem: Problem) {
        unsent = []
        DispatchQueue.main.async { [weak self] in MainActor.assumeIsolated { self?.end(problem) } }
    }

    private func open() {
        limit?.cancel()
        let error = descriptor.pendingError
        guard error == 0 else { return end(Descriptor.problem("cannot connect", error)) }
        guard let (address, port) = descriptor.localAddress else { return end(Problem("the connection has ended")) }
        isOpen = true
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor.number, queue: .main)
        source.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.read() } }
        // The descriptor is closed once the source no longer uses it.
        source.setCancelHandler { [descriptor] in withExtendedLifetime(descriptor) {} }
        reader = source
        source.activate()
        RoostVoIP.keep(fileDescriptor: descriptor.number) { [weak self] failure in
            guard let self, !self.isOver else { return }
            print(failure.map { "not kept: \($0)" } ?? "kept")
        }
        handle(.opened(address: address, port: port))
    }

    /// Reads everything that has arrived: data that is left wakes the app only a few times.
    private func read() {
        handle(.arrived)
        defer { if !isOver { handle(.idle) } }
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        var count = 0
        while !isOver, count < Self.mostRead {
            let length = recv(descriptor.number, &buffer, buffer.count, 0)
            if length > 0 {
                count += length
                handle(.received(Array(buffer[..<length])))
            } else if length == 0 {
                end(Problem("the server has ended the connection"))
            } else if errno == EAGAIN {
                return
            } else if errno != EINTR {
                end(Descriptor.problem("the connection has ended", errno))
            }
        }
    }

    private func write() {
        while !unsent.isEmpty {
            let count = Glibc.send(descriptor.number, unsent, unsent.count, Int32(MSG_NOSIGNAL))
            if count >= 0 {
                unsent.removeFirst(count)
            } else if errno == EAGAIN {
                guard unsent.count <= Self.mostUnsent else { return endLater(Problem("the server does not read")) }
                return whenWritable { [weak self] in self?.write() }
            } else if errno != EINTR {
                return endLater(Descriptor.problem("cannot send", errno))
            }
        }
    }

    private func whenWritable(_ action: @escaping @MainActor () -> Void) {
        guard writer == nil else { return }
        let source = DispatchSource.makeWriteSource(fileDescriptor: descriptor.number, queue: .main)
        source.setEventHandler { [weak self] in
            MainActor.assumeIsolated {
                guard let self, let writer = self.writer else { return }
                writer.cancel()
                self.writer = nil
                action()
            }
        }
        source.setCancelHandler { [descriptor] in withExtendedLifetime(descriptor) {} }
        writer = source
        source.activate()
    }
}
