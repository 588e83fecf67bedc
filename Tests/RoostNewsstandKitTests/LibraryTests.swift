import Foundation
import LifeCycleModel
import RoostKit
import Testing

@testable import RoostNewsstandKit

/// The library of a Newsstand app over several launches, with a system that the test plays.
@MainActor @Suite(.serialized, .timeLimit(.minutes(30))) struct LibraryTests {
    private let system = System()

    private func library() throws -> NKLibrary { try #require(NKLibrary.shared()) }

    private func request(_ url: String = "http://localhost/may") throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: url)))
        request.setValue("subscriber", forHTTPHeaderField: "X-Reader")
        return request
    }

    /// Adds an issue with an asset, and begins the asset's download; returns the download.
    @discardableResult private func begin(_ reader: Reader, _ name: String = "May") throws -> NKAssetDownload {
        let asset = try library().addIssue(withName: name, date: Date(timeIntervalSince1970: 1)).addAsset(
            with: try request())
        asset.userInfo = ["page": 1]
        asset.download(with: reader)
        return asset
    }

    @Test func onlyAppsOfNewsstandHaveALibrary() {
        let launch = Launch(system, modes: ["fetch"])
        #expect(NKLibrary.shared() == nil)
        launch.end()
    }

    @Test func issuesAreKeptOverLaunches() throws {
        var launch = Launch(system)
        let may = try library().addIssue(withName: "May", date: Date(timeIntervalSince1970: 5))
        #expect(try library().addIssue(withName: "May", date: Date()) === may, "the name exists already")
        _ = try library().addIssue(withName: "June", date: Date())
        try library().currentlyReadingIssue = may
        #expect(may.status == .none && FileManager.default.fileExists(atPath: may.contentURL.path))
        #expect(may.contentURL.path.hasPrefix(system.container.path))
        launch.end()

        launch = Launch(system)
        #expect(try library().issues.map(\.name) == ["May", "June"])
        let again = try #require(try library().issue(withName: "May"))
        #expect(again.date == Date(timeIntervalSince1970: 5) && again.contentURL == may.contentURL)
        #expect(try library().currentlyReadingIssue === again)
        try library().removeIssue(again)
        #expect(try library().issues.map(\.name) == ["June"])
        #expect(try library().currentlyReadingIssue == nil)
        #expect(!FileManager.default.fileExists(atPath: again.contentURL.path))
        #expect(system.acts.isEmpty, "nothing was downloaded")
        launch.end()
    }

    @Test func theSystemDownloadsAndTheAppReceivesTheFile() async throws {
        let launch = Launch(system)
        let reader = Reader()
        let asset = try begin(reader)
        #expect(system.made.map(\.request.url) == ["http://localhost/may"])
        #expect(system.made.first?.request.fields == [HTTPField(name: "X-Reader", value: "subscriber")])
        #expect(system.names == [asset.identifier])
        let issue = try #require(asset.issue)
        #expect(issue.status == .downloading && issue.downloadingAssets == [asset])
        let completions = Completions(of: issue)
        reader.receivesProgress = true
        launch.open()
        let number = try #require(system.made.first?.number)
        launch.say(.progressed(number, received: 4, expected: 9))
        #expect(await reader.lines(1) == ["4, 4 of 9"])
        let place = issue.contentURL.appendingPathComponent("pages")
        reader.onFile = { try? FileManager.default.moveItem(at: $0, to: place) }
        try launch.arrive(number, "headlines")
        #expect(await reader.lines(3).suffix(2) == ["5, 9 of 9", "May: headlines"])
        #expect(completions.count == 1)
        #expect(issue.status == .available && issue.downloadingAssets.isEmpty)
        #expect(try String(contentsOf: place, encoding: .utf8) == "headlines")
        await system.until { $0 == .acknowledge([number]) }
        let left = try FileManager.default.contentsOfDirectory(
            atPath: system.container.appendingPathComponent("Library/Newsstand/Arrived").path)
        #expect(left.isEmpty)
        launch.end()
    }

    /// The app has died meanwhile. The next launch attaches to the existing download, and begins none again.
    @Test func aLaterLaunchAttaches() async throws {
        var launch = Launch(system)
        let name = try begin(Reader()).identifier
        let number = try #require(system.made.first?.number)
        launch.end()
        system.forget()

        launch = Launch(system, reason: .newsstand)
        let reader = Reader()
        let assets = try library().downloadingAssets
        #expect(assets.map(\.identifier) == [name])
        #expect(assets.first?.userInfo as? [String: Int] == ["page": 1])
        #expect(assets.first?.urlRequest.url?.absoluteString == "http://localhost/may")
        assets.first?.download(with: reader)
        launch.open([(number, name)])
        try launch.arrive(number, "headlines")
        #expect(await reader.lines(1) == ["May: headlines"])
        // The handler is called after the last event has been delivered; RoostKit decides when.
        launch.runner.receive(.callback(CallbackID(1), .launch(.newsstand)))
        launch.runner.receive(.callback(CallbackID(2), .concern(.transfer(.handleEvents(.newsstand)))))
        #expect(!system.acts.contains(.handled))
        launch.say(.eventsFinished)
        await system.until { $0 == .handled }
        #expect(system.made.isEmpty && system.lines.isEmpty)
        launch.end()
    }

    /// The app has died between `addAsset` and `download(with:)`. The next launch begins the download.
    @Test func anUnbegunDownloadIsBegunByTheNextLaunch() async throws {
        var launch = Launch(system)
        _ = try library().addIssue(withName: "May", date: Date()).addAsset(with: try request())
        launch.end()
        #expect(system.made.isEmpty)
        launch = Launch(system)
        try library().downloadingAssets.first?.download(with: Reader())
        #expect(system.made.isEmpty, "existing tasks are listed first")
        launch.open()
        await system.until { if case .resume = $0 { true } else { false } }
        #expect(system.made.count == 1)
        launch.end()
    }

    /// Downloads that a launch does not ask for are stored for a later launch.
    @Test func unattachedDownloadsAreDeliveredLater() async throws {
        var launch = Launch(system)
        let name = try begin(Reader(), "May").identifier
        try begin(Reader(), "June")
        let numbers = system.made.map(\.number)
        launch.end()

        launch = Launch(system)
        let june = Reader()
        try library().issue(withName: "June")?.downloadingAssets.first?.download(with: june)
        launch.open([(numbers[0], name), (numbers[1], system.names[1] ?? "")])
        try launch.arrive(numbers[0], "may")
        try launch.arrive(numbers[1], "june")
        #expect(await june.lines(1) == ["June: june"])
        for number in numbers { await system.until { $0 == .acknowledge([number]) } }
        launch.end()
        system.forget()

        launch = Launch(system)
        let may = Reader()
        try library().downloadingAssets.first?.download(with: may)
        #expect(await may.lines(1) == ["May: may"])
        #expect(system.acts.isEmpty, "no further request to the system")
        launch.end()
    }

    @Test func aFailureIsReportedAndMayBeRetried() async throws {
        let launch = Launch(system)
        let reader = Reader()
        let asset = try begin(reader)
        launch.open()
        let number = try #require(system.made.first?.number)
        reader.onFailure = { $0.newsstandAssetDownload?.download(with: reader) }
        launch.say(.failed(number, TransferFailure(code: -1001, reason: "too long")))
        #expect(await reader.lines(1) == ["May failed: -1001"])
        #expect(system.made.count == 2 && asset.issue?.status == .downloading)
        reader.onFailure = { _ in }
        let second = try #require(system.made.last?.number)
        try launch.arrive(second, "not found", status: 404)
        #expect(await reader.lines(2).last == "May failed: -1100")
        #expect(asset.issue?.status == NKIssueContentStatus.none)
        launch.end()
    }

    @Test func invalidRequestsFail() async throws {
        let launch = Launch(system)
        let reader = Reader()
        let issue = try library().addIssue(withName: "May", date: Date())
        issue.addAsset(with: try request("ftp://localhost/may")).download(with: reader)
        #expect(await reader.lines(1) == ["May failed: -1002"])
        #expect(system.made.isEmpty && issue.status == NKIssueContentStatus.none)
        launch.end()
    }

    @Test func aDownloadThatIsGivenUpIsCanceled() async throws {
        let launch = Launch(system)
        let asset = try begin(Reader())
        launch.open()
        let number = try #require(system.made.first?.number)
        try library().removeIssue(try #require(asset.issue))
        await system.until { $0 == .cancel(number, keepsPartial: false) }
        #expect(try library().downloadingAssets.isEmpty)
        launch.end()
    }

    /// An app that was woken, and does not use the library, is not waited for.
    @Test func appsWithoutALibraryDoNotDelayTheHandler() {
        let launch = Launch(system, reason: .newsstand)
        launch.runner.receive(.callback(CallbackID(1), .launch(.newsstand)))
        launch.runner.receive(.callback(CallbackID(2), .concern(.transfer(.handleEvents(.newsstand)))))
        #expect(system.acts == [.handled])
        #expect(system.lines.first?.contains("download(with:)") == true)
        launch.end()
    }

    /// An app that moves the file away and dies before it has returned finds the file again.
    @Test func theFileIsKeptUntilItsDelivery() throws {
        let store = LibraryStore(container: system.container) { Issue.record("\($0)") }
        let file = system.container.appendingPathComponent(try system.put("pages", "1"))
        try store.take(file, of: "a")
        let place = try #require(store.place(of: "a"))
        try FileManager.default.removeItem(at: place)
        #expect(store.place(of: "a") == place)
        #expect(try String(contentsOf: place, encoding: .utf8) == "pages")
        store.forgetFile(of: "a")
        #expect(store.place(of: "a") == nil)
    }

    /// An invalid library file does not end the app.
    @Test func anUnreadableLibraryIsReplaced() throws {
        let file = system.container.appendingPathComponent("Library/Newsstand/library.plist")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("nonsense".utf8).write(to: file)
        let launch = Launch(system)
        #expect(try library().issues.isEmpty)
        #expect(system.lines.count == 1)
        launch.end()
    }
}
