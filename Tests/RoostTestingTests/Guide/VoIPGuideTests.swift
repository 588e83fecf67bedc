import RoostTesting
import Testing

@testable import VoIPTestApp

/// The test of the guide "VoIP".
@Suite(.serialized) @MainActor struct VoIPGuideTests {
    @Test func aPushRingsAndTheCallKeepsTheAppRunning() async throws {
        try await withVirtualDevice { device in
            let app = try device.install(infoPlist: ["UIBackgroundModes": ["voip"]], delegate: AppDelegate.self)
            await device.launch(app)
            await device.home()
            #expect(app.state == .suspended)
            try await device.pushVoIP(#"{"caller": "Ada"}"#, to: app)
            await device.answerCall()
            await device.advance(by: .seconds(10 * 60))
            #expect(app.state == .background)
            await device.endPhoneCall()
            #expect(app.state == .suspended)
            let log = (app.delegate as? AppDelegate)?.phone?.log
            #expect(log == ["token of 32 bytes", "Ada calls", "answered", "sound on", "ended", "sound off"])
        }
    }
}
