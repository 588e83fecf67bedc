public import LifeCycleModel
import LifeCycleSimulation
import RoostKit

/// The device's network and the servers behind it. `RoostURLSession`'s background sessions download from here, by the
/// device's clock. No data leaves the machine.
///
/// ```swift
/// device.serve(Array("an episode".utf8), at: "https://example.org/1.mp3")
/// await device.launch(app)
/// await device.home()
/// await device.advance(by: .seconds(10))
/// #expect(app.wakes.contains(.urlSession))
/// ```
extension VirtualDevice {
    /// Changes the device's network.
    ///
    /// - Parameters:
    ///   - network: The kind of network, or none. A new device has Wi-Fi.
    ///   - bytesPerSecond: The speed of each download; nil leaves it unchanged. A new device has 4 MiB per second.
    public func network(_ network: Network, bytesPerSecond: Int? = nil) async {
        if let bytesPerSecond { body.transfers.network.bytesPerSecond = Int64(max(1, bytesPerSecond)) }
        await set(.network(network))
    }

    /// Nothing arrives for `span`, although the network seems available. A download waits, and restarts after the
    /// timeout of its request.
    public func networkOutage(for span: Duration) {
        tell("the network is down for \(span)")
        body.transfers.network.outageUntil = body.now.awake + Nanoseconds(span)
    }

    /// Puts a file on a server at `url`, replacing an earlier file. A download that has part of the earlier file starts
    /// over. A URL without a file is an unknown host, which is tried again.
    ///
    /// - Parameters:
    ///   - content: The file's bytes.
    ///   - url: The URL, exactly as the app writes it.
    ///   - status: The HTTP status of the response. Regardless of the status, a background session reports a finished
    ///     file.
    ///   - hasValidator: Whether the server sends an `ETag`, so that a download can be resumed.
    public func serve(_ content: [UInt8], at url: String, status: Int = 200, hasValidator: Bool = true) {
        tell("\(url) has \(content.count) bytes")
        body.transfers.serve(content, at: url, status: Int32(clamping: status), hasValidator: hasValidator)
    }
}

extension CallbackName {
    /// The events of a background session are ready.
    public static let handleEventsForBackgroundURLSession = CallbackName(
        TransferCall.Method.handleEventsForBackgroundURLSession)
}
