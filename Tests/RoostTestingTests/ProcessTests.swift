import Testing

@testable import RoostTesting

@Suite @MainActor struct ProcessTests {
    @Test func anUnmodifiedAppSyncsAndIsSuspended() async throws {
        try await withVirtualDevice { device in
            let app = try device.install(executable: "RoostTestingTestApp")
            await device.launch(app)
            #expect(app.state == .active)
            await device.home()
            #expect(app.state == .background)
            await device.advance(by: .seconds(600))
            #expect(app.state == .suspended)
            print(device.trace)
            print(app.output)
        }
    }
}
