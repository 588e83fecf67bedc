import Foundation
import LifeCycleModel
import RoostKit
import RoostURLSession
import Testing

@testable import RoostTesting

/// Background downloads under the device's clock, from servers of the test.
@Suite(.serialized) @MainActor struct DownloadTests {
    private static let url = "https://example.org/episode"
    /// Ten seconds of content, at the speed of these devices.
    private static let content = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }

    /// An app that will download a served file, on a device with a slow network.
    private func slow(_ device: VirtualDevice, hasValidator: Bool = true) async throws -> VirtualApp {
        await device.network(.wifi, bytesPerSecond: 1000)
        device.serve(Self.content, at: Self.url, hasValidator: hasValidator)
        let app = try device.install(executable: "DownloadTestApp")
        let documents = try #require(app.container) + "/Documents"
        try FileManager.default.createDirectory(atPath: documents, withIntermediateDirectories: true)
        try Self.url.write(toFile: documents + "/plan", atomically: true, encoding: .utf8)
        return app
    }

    private func file(_ app: VirtualApp) throws -> [UInt8]? {
        FileManager.default.contents(atPath: try #require(app.container) + "/Documents/1.bin").map(Array.init)
    }

    private func count(_ line: String, of app: VirtualApp) -> Int {
        app.output.split(separator: "\n").count { $0 == line }
    }

    @Test func arrivesWhileTheAppIsSuspended() async throws {
        try await withVirtualDevice { device in
            let app = try await slow(device)
            await device.launch(app)
            await device.home()
            await device.advance(by: .seconds(9))
            #expect(app.state == .suspended && !app.wakes.contains(.urlSession))
            await device.advance(by: .seconds(2))
            #expect(app.wakes.count { $0 == .urlSession } == 1 && app.state == .suspended)
            #expect(try file(app) == Self.content)
            for line in ["finished 1", "completed 1 well", "events finished"] { #expect(count(line, of: app) == 1) }
        }
    }

    /// The network is lost after four seconds. With a validator six seconds are left, without one all ten.
    @Test(arguments: [(true, 6), (false, 10)]) func aDownloadWaitsForTheNetwork(hasValidator: Bool, rest: Int)
        async throws
    {
        try await withVirtualDevice { device in
            let app = try await slow(device, hasValidator: hasValidator)
            await device.launch(app)
            await device.home()
            await device.advance(by: .seconds(4))
            await device.network(.none)
            await device.advance(by: .seconds(1000))
            #expect(app.state == .suspended)
            await device.network(.wifi)
            await device.advance(by: .milliseconds(rest * 1000 - 500))
            #expect(!app.wakes.contains(.urlSession))
            await device.advance(by: .milliseconds(600))
            #expect(app.wakes.contains(.urlSession))
            #expect(try file(app) == Self.content)
        }
    }

    /// 60 s without a byte end an attempt, and the attempt is repeated automatically.
    @Test func aRequestEndsAfterAMinuteWithoutAByte() async throws {
        try await withVirtualDevice { device in
            let app = try await slow(device)
            device.networkOutage(for: .seconds(600))
            await device.launch(app)
            await device.home()
            let retry = "tried again in 1 s: nothing arrived for too long"
            await device.advance(by: .milliseconds(59_900))
            #expect(!device.trace.contains(retry) && app.state == .suspended)
            await device.advance(by: .milliseconds(200))
            #expect(device.trace.contains(retry), "\(device.trace)")
            // The app is not notified of these events.
            await device.advance(by: .seconds(1800))
            #expect(try file(app) == Self.content && count("completed 1 well", of: app) == 1)
        }
    }

    /// a download fails seven days after it was resumed, and its app is woken to be notified.
    @Test func aResourceFailsAfterSevenDays() async throws {
        try await withVirtualDevice { device in
            let app = try await slow(device)
            await device.network(.none)
            await device.launch(app)
            await device.home()
            await device.advance(by: .seconds(604_800 - 60))
            #expect(!app.wakes.contains(.urlSession) && count("completed 1 -1001", of: app) == 0)
            await device.advance(by: .seconds(120))
            #expect(app.wakes.contains(.urlSession) && count("completed 1 -1001", of: app) == 1)
            #expect(count("events finished", of: app) == 1 && app.state == .suspended)
        }
    }

    @Test func anAppThatWasKilledIsLaunchedForIt() async throws {
        try await withVirtualDevice { device in
            let app = try await slow(device)
            await device.launch(app)
            await device.home()
            await device.kill(app)
            await device.advance(by: .seconds(20))
            #expect(count("launched off the screen", of: app) == 1 && count("events finished", of: app) == 1)
            #expect(try file(app) == Self.content)
        }
    }

    /// A resource that changes midway is downloaded from its beginning, and never spliced.
    @Test func aChangedResourceIsDownloadedFromTheBeginning() async throws {
        let other = Self.content.map { ~$0 }
        try await withVirtualDevice { device in
            let app = try await slow(device)
            await device.launch(app)
            await device.home()
            await device.advance(by: .seconds(4))
            await device.network(.none)
            device.serve(other, at: Self.url)
            await device.network(.wifi)
            await device.advance(by: .seconds(30))
            #expect(try file(app) == other)
        }
    }

    /// Code in the test's process can also download, into a directory that is removed with the device.
    @Test func codeOfTheTestsProcessDownloads() async throws {
        let downloads = Downloads()
        try await withVirtualDevice { device in
            await device.network(.wifi, bytesPerSecond: 1000)
            device.serve(Self.content, at: Self.url)
            let app = try device.install("Podcasts") { downloads.begin(Self.url) }
            await device.launch(app)
            await device.home()
            #expect(app.state == .suspended)
            await device.advance(by: .seconds(9))
            #expect(downloads.received.isEmpty)
            await device.advance(by: .seconds(2))
            #expect(downloads.received == [Data(Self.content)] && app.state == .suspended)
        }
        #expect(downloads.places.allSatisfy { !FileManager.default.fileExists(atPath: $0.path) })
    }

    @MainActor private final class Downloads: NSObject, URLSessionDownloadDelegate {
        var received: [Data] = []
        var places: [URL] = []
        private var session: URLSession?

        func begin(_ text: String) {
            session = URLSession(
                configuration: .background(withIdentifier: "episodes"), delegate: self, delegateQueue: .main)
            guard let url = URL(string: text) else { return }
            session?.downloadTask(with: url).resume()
        }

        nonisolated func urlSession(
            _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
        ) {
            MainActor.assumeIsolated {
                places.append(location)
                if let data = try? Data(contentsOf: location) { received.append(data) }
            }
        }
    }
}
