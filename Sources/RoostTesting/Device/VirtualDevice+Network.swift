public import LifeCycleModel
import LifeCycleSimulation
import RoostKit

/// The device's network, and the servers behind it, for background downloads: `RoostURLSession`'s background sessions fetch
/// from here, by the device's clock. No byte leaves the machine.
///
/// ```swift
/// device.serve(Array("an episode".utf8), at: "https://example.org/1.mp3")
/// await device.launch(app)
/// await device.home()
/// await device.advance(by: .seconds(10))
/// #expect(app.wakes.contains(.urlSession))
/// ```
extension VirtualDevice {
    /// The device reaches the network by something else from now on, or by nothing.
    ///
    /// - Parameters:
    ///   - network: What by. A device begins with Wi-Fi.
    ///   - bytesPerSecond: How fast each download is; as it was if left out. A device begins with 4 MiB.
    public func network(_ network: Network, bytesPerSecond: Int? = nil) async {
        if let bytesPerSecond { body.transfers.network.bytesPerSecond = Int64(max(1, bytesPerSecond)) }
        await set(.network(network))
    }

    /// Nothing arrives for so long, though the network seems to be there: a download waits, and is begun anew after its
    /// request's timeout.
    public func networkOutage(for span: Duration) {
        tell("the network is dead for \(span)")
        body.transfers.network.outageUntil = body.now.awake + Nanoseconds(span)
    }

    /// A server has a file at `url` from now on, in place of what it had there: a download that has part of an older one
    /// begins anew. What no server has is a host that is not found, which is tried again.
    ///
    /// - Parameters:
    ///   - content: Its bytes.
    ///   - url: As the app writes it.
    ///   - status: The status of the answer. Whatever it is, a background session tells its app of a file.
    ///   - hasValidator: Whether the server sends an `ETag`, so that the download can be gone on with.
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
