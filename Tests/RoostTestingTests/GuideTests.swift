import Foundation
import Testing

/// The guide "Test your background code" shows what is tested, word for word.
@Suite struct GuideTests {
    private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    /// Lines without what they are indented by.
    private static func normalized(_ text: String) -> String {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
    }

    @Test func everyPieceOfSwiftIsTested() throws {
        let guide = try String(
            contentsOf: Self.tests.appendingPathComponent("../../docs/test-your-background-code.md"), encoding: .utf8)
        let sources = try ["Apps.swift", "TenSituationsTests.swift", "DownloadGuideTests.swift"].map {
            Self.normalized(
                try String(contentsOf: Self.tests.appendingPathComponent("Guide/\($0)"), encoding: .utf8))
        }
        let pieces = guide.components(separatedBy: "\n```").enumerated().compactMap { index, part in
            index % 2 == 1 && part.hasPrefix("swift\n") ? Self.normalized(String(part.dropFirst("swift\n".count))) : nil
        }
        #expect(pieces.count >= 15)
        for piece in pieces { #expect(sources.contains { $0.contains(piece) }, "not in Guide/ any more:\n\(piece)") }
    }
}
