import Foundation
import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// The downloader of the examples, as its users see it.
    @Suite(.whereNginxIs) struct PodcastsTests {
        private static let podcasts = BundleIdentifier.named("org.roost.example.Podcasts")

        private func feed(_ server: WebServer, episodes: Int) -> String {
            let items = (1...episodes).map { number in
                """
                <item><title>Folge \(number)/4: 별 &amp; Sterne</title><guid>star-\(number)</guid>
                <pubDate>Mon, \(String(format: "%02d", number)) Jun 2026 08:00:00 +0200</pubDate>
                <enclosure url="\(server.url("\(number).mp3"))" type="audio/mpeg" length="1"/></item>
                """
            }
            return """
                <?xml version="1.0"?><rss version="2.0"><channel><title>우주 이야기</title>
                \(items.joined(separator: "\n"))
                </channel></rss>
                """
        }

        /// The newest three episodes arrive while the app is suspended, and the app is woken for them once. The app
        /// does not request episodes that it already has.
        @Test func theNewestEpisodesComeByThemselves() throws {
            try TestSystem.run { system in
                let server = try WebServer(in: system.directory + "/web", rate: "4m")
                for number in 1...4 { try server.make("\(number).mp3", bytes: 8 << 20) }
                try feed(server, episodes: 4).write(
                    toFile: server.path("feed.xml"), atomically: true, encoding: .utf8)
                try system.install("Podcasts")
                let documents = system.documents(Self.podcasts)
                try FileManager.default.createDirectory(atPath: documents, withIntermediateDirectories: true)
                try "# mine\nftp://no.example/\n\(server.url("feed.xml"))\n".write(
                    toFile: documents + "/feeds.txt", atomically: true, encoding: .utf8)
                try system.launch(Self.podcasts)
                for number in 2...4 {
                    try system.untilPrinted(Self.podcasts, "asked for 우주 이야기: Folge \(number)/4: 별 & Sterne")
                }
                try system.suspend(Self.podcasts)
                try system.untilTransfer("progress during the suspension") { $0.state == "running" && $0.received > 0 }
                for number in 2...4 {
                    let name = "우주 이야기/Folge \(number)_4_ 별 _ Sterne.mp3"
                    try system.untilPrinted(Self.podcasts, "kept \(name)")
                    #expect(
                        FileManager.default.contentsEqual(
                            atPath: server.path("\(number).mp3"), andPath: "\(documents)/Episodes/\(name)"))
                }
                try system.until(Self.podcasts, is: .suspended)
                let lines = system.log(Self.podcasts)
                #expect(lines.count { $0.hasPrefix("woken for ") } == 1, "\(lines)")
                #expect(lines.contains("\"ftp://no.example/\" in feeds.txt is no web address"), "\(lines)")
                try system.until("no download is left") { try system.transfers().isEmpty ? true : nil }

                try feed(server, episodes: 5).write(
                    toFile: server.path("feed.xml"), atomically: true, encoding: .utf8)
                try server.make("5.mp3", bytes: 1 << 20)
                try system.launch(Self.podcasts)
                try system.untilPrinted(Self.podcasts, "kept 우주 이야기/Folge 5_4_ 별 _ Sterne.mp3")
                let asked = system.log(Self.podcasts).filter { $0.hasPrefix("asked for ") }
                #expect(asked.count == 4, "\(asked)")
            }
        }
    }
}
