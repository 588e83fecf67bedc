import Foundation
import LifeCycleModel
import Testing

/// A month of apps that fetch wakes the device rarely, and gives each app nearly as many fetches as it asked for.
@Suite struct FetchMonthTests {
    private static let seed: UInt64 = 20_261_122
    private static let picture = URL(fileURLWithPath: #filePath)
        .appendingPathComponent("../../../../docs/images/background-fetch.svg").standardizedFileURL

    private static let month = FetchMonth(seed: seed)

    @Test(arguments: [seed, 2]) func theDeviceSleepsFiveTimesAsLong(_ seed: UInt64) {
        let month = seed == Self.seed ? Self.month : FetchMonth(seed: seed)
        var own = 0
        for number in 1...FetchMonth.count {
            let (had, wanted) = (month.turns[app(number)]?.count ?? 0, month.ownTimes(of: app(number)).count)
            let interval = month.interval(of: app(number))
            own += wanted
            #expect(had * 100 >= wanted * 80, "seed \(seed): an app every \(interval) ran \(had) of \(wanted) times")
        }
        #expect(month.wakeUps.count * 5 <= own, "seed \(seed): \(month.wakeUps.count) wake-ups instead of \(own)")
        #expect(month.longest <= 200, "seed \(seed): an app waited \(month.longest) % of its interval")
    }

    /// The picture in the documentation is of this month. The test writes it if ROOST_WRITE_DOCS is set.
    @Test func thePictureIsUpToDate() throws {
        let text = FetchPicture(Self.month).text
        if ProcessInfo.processInfo.environment["ROOST_WRITE_DOCS"] != nil {
            try FileManager.default.createDirectory(
                at: Self.picture.deletingLastPathComponent(), withIntermediateDirectories: true)
            try text.write(to: Self.picture, atomically: true, encoding: .utf8)
        } else {
            let isSame = try String(contentsOf: Self.picture, encoding: .utf8) == text
            #expect(isSame, "run this test once with ROOST_WRITE_DOCS=1")
        }
        #expect(text.utf8.count < 40_000, "\(text.utf8.count) bytes are too many for a picture")
    }
}
