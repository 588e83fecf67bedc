import GPSDPeer
import LifeCycleModel
import RoostGPS
import Testing

/// Positions of the real gpsd, with a simulated receiver.
@Suite struct RealGPSDTests {
    @Test(.whereGPSDIs) func positionsArrive() throws {
        let gpsd = try RealGPSD()
        let rig = try GPSRig(port: gpsd.port)
        #expect(try !gpsd.hasClient(), "a receiver that is off has no connection")
        gpsd.report()
        rig.source.setReceiver(true)
        let fix = try rig.position(at: 481_173_000)
        #expect(fix.longitude == 115_166_667)
        #expect((1...10_000).contains(fix.accuracy))
        #expect(try gpsd.hasClient())
        rig.source.setReceiver(false)
        #expect(try !gpsd.hasClient() && rig.pids.isEmpty)
        let count = rig.positions.count
        rig.source.setReceiver(true)
        _ = try rig.wait(for: { _ in rig.positions.count > count ? true : nil })
    }
}
