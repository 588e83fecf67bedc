import Foundation
import Testing

/// The guides show the tested code, word for word.
@Suite struct GuideTests {
    private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    /// The lines without their indentation.
    private static func normalized(_ text: String) -> String {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
    }

    @Test(arguments: [
        ("test-your-background-code", 15), ("background-fetch", 2), ("local-notifications", 2), ("location", 3),
        ("audio", 2), ("voip", 5),
    ])
    func everyPieceOfSwiftIsTested(guide name: String, atLeast count: Int) throws {
        let guide = try String(
            contentsOf: Self.tests.appendingPathComponent("../../docs/\(name).md"), encoding: .utf8)
        let files = [
            "Apps.swift", "TenSituationsTests.swift", "DownloadGuideTests.swift", "FetchGuideTests.swift",
            "NotificationGuideTests.swift", "LocationGuideTests.swift", "../../LocationTestApp/LocationTestApp.swift",
            "AudioGuideTests.swift", "../../AudioTestApp/AudioTestApp.swift", "VoIPGuideTests.swift",
            "../../VoIPTestApp/VoIPTestApp.swift", "SocketGuideTests.swift",
        ]
        let sources = try files.map {
            Self.normalized(
                try String(contentsOf: Self.tests.appendingPathComponent("Guide/\($0)"), encoding: .utf8))
        }
        let pieces = guide.components(separatedBy: "\n```").enumerated().compactMap { index, part in
            index % 2 == 1 && part.hasPrefix("swift\n") ? Self.normalized(String(part.dropFirst("swift\n".count))) : nil
        }
        #expect(pieces.count >= count)
        for piece in pieces { #expect(sources.contains { $0.contains(piece) }, "no longer in Guide/:\n\(piece)") }
    }
}
