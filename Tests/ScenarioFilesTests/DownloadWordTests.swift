import LifeCycleScenario
import ScenarioFiles
import Testing

/// The words for background downloads. Problems with the words are reported with a place.
extension BadInputTests {
    @Test(arguments: [
        Bad("serves: none\n", "1:9", "the files of servers, by URL"),
        Bad("serves: {ftp://example.org/a: 1MB}\n", "1:10", "begins with https://"),
        Bad("serves: {https://example.org/a: large}\n", "1:33", "such as 10MB, below 1024GB, found \"large\""),
        Bad("serves:\n  https://example.org/a: {status: 200}\n", "2:3", "expected size:"),
        Bad("serves:\n  https://example.org/a: {size: 1MB, status: 99}\n", "2:46", "from 200 to 599"),
        Bad("serves:\n  https://example.org/a: {size: 1MB, color: red}\n", "2:38", "unknown word \"color\""),
        Bad("serves:\n  https://example.org/a: {size: 1MB, validator: W}\n", "2:49", "true or false"),
        Bad("serves:\n  https://example.org/a: {size: 1MB, trouble: all}\n", "2:47", "silent, busy, refused, lost"),
    ])
    func servers(bad: Bad) { check(Bad(bad.text + "apps: {Notes: }\nsteps: [home]\n", bad.place, bad.says)) }

    @Test(arguments: [
        Bad("- network", "4:3", "none, wifi, cellular, found nothing"),
        Bad("- network: mobile", "4:12", "none, wifi, cellular, found \"mobile\""),
        Bad("- network: wifi\n  speed: 0KB", "5:10", "from 1KB to 4GB"),
        Bad("- network: wifi\n  speed: 5GB", "5:10", "from 1KB to 4GB"),
        Bad("- network: wifi\n  for: 2s", "5:3", "below network, expected one of speed, at"),
        Bad("- outage: long", "4:11", "a length of time"),
        Bad("- wait: 1s\n- outage: 8784h", "5:3", "at most a year"),
        Bad("- serve: https://example.org/a", "4:3", "expected size:"),
        Bad("- serve: example\n  size: 1MB", "4:10", "begins with https://"),
        Bad("- serve: https://example.org/a\n  size: 1MB\n  refused: locked", "6:3", "unknown word \"refused\""),
        Bad("- download: https://example.org/a", "4:3", "expected in: and the app"),
        Bad("- download:\n  in: Notes", "4:12", "a URL such as https://example.org/1.mp3"),
        Bad("- download: ''\n  in: Notes", "4:13", "of at most 8192 bytes"),
        Bad("- download: https://a/b\n  in: Notes\n  session: ''", "6:12", "of 1 to 1024 bytes"),
        Bad("- download: https://a/b\n  in: Notes\n  cellular: maybe", "6:13", "true or false"),
        Bad("- download: https://a/b\n  in: Notes\n  earliest: tomorrow", "6:13", "a length of time"),
        Bad("- download: https://a/b\n  in: Notes\n  handler: false", "6:3", "below download"),
        Bad("- callHandler: downloads\n  in: Notes", "4:16", "nothing after callHandler"),
        Bad("- expect: {Notes: {downloads: many}}", "4:31", "the progress of downloads, by URL"),
        Bad(
            "- expect: {Notes: {downloads: {https://a/b: soon}}}", "4:45",
            "the progress of a download: waiting, running"),
        Bad("- expect: {Notes: {called: [didWriteData]}}", "4:29", "a callback"),
    ])
    func wordsOfDownloads(bad: Bad) { check(Bad(steps(bad.text), bad.place, bad.says)) }

    @Test(arguments: [
        Bad("- download: https://a/b\n  in: Notes", "4:3", "impossible: Notes is not running"),
        Bad(
            "- launch: Notes\n- home\n- download: https://a/b\n  in: Notes", "6:3", "impossible: Notes is suspended"),
        Bad("- launch: Notes\n- callHandler:\n  in: Notes", "5:3", "has no pending completion handler"),
        Bad(
            "- expect: {Notes: {downloads: {https://a/b: done}}}", "4:45",
            "expected the download of https://a/b in Notes to be done, but it is none"),
        Bad(
            "- launch: Notes\n- download: https://a/b\n  in: Notes\n"
                + "- expect: {Notes: {downloads: {https://a/b: done}}}", "7:45",
            "to be done, but it is waiting: retry, for the next attempt"),
    ])
    func wrongDownloadExpectationsAreReported(bad: Bad) { check(Bad(steps(bad.text), bad.place, bad.says)) }

    /// Discretionary is a property of a session, and not of a download. The session is made before its first download.
    @Test func aSessionIsOneOrTheOther() {
        let text = """
            apps:
              Notes:
                does: {didBecomeActive: {download: "https://a/1", discretionary: true}}
              Mail:
                does: {didBecomeActive: {download: "https://a/1", discretionary: false}}
            steps:
              - launch: Notes
              - {download: "https://a/2", in: Notes}
              - {download: "https://a/2", in: Notes, session: other, discretionary: false}
              - {download: "https://a/2", in: Notes, discretionary: false}
            """
        let found = problems(text)
        #expect(found.count == 1, "\(found)")
        #expect(
            found.first?.hasPrefix("10:57: session \"downloads\" is discretionary in an earlier step") == true)
    }
}

/// Background downloads in the text and in the timeline.
@Suite struct DownloadStoryTests {
    private func outcome(_ text: String) throws -> (Scenario, ScenarioRun.Outcome) {
        let scenario = try ScenarioFile.scenario(from: Array(text.utf8))
        return (scenario, ScenarioRun(scenario).run())
    }

    private let waits = """
        settings: {network: cellular}
        serves: {https://example.org/film: 10MB}
        apps: {Media: {scenes: false}}
        steps:
          - launch: Media
          - {download: https://example.org/film, in: Media, discretionary: true}
          - home
          - wait: 1m
          - {network: wifi, speed: 1MB}
          - wait: 4s
          - network: cellular
          - wait: 1m
          - network: wifi
          - wait: 6s
          - expect: {Media: {state: suspended, downloads: {https://example.org/film: done}}}
        """

    @Test func theStoryCoversTheWholeDownload() throws {
        let (_, outcome) = try outcome(waits)
        #expect(outcome.problems == [])
        let entries = outcome.story.filter { $0.text.contains("transfer") || $0.text.contains("https") }
        let lines = entries.map { "\($0.time) \($0.kind.rawValue): \($0.text) \($0.rule ?? "")" }
        #expect(
            lines == [
                "0 s app: downloads https://example.org/film, by session \"downloads\" ",
                "0 s why: transfer 1.1.1 is made, of https://example.org/film R-50",
                "0 s why: transfer 1.1.1 waits for Wi-Fi R-52",
                "60 s why: transfer 1.1.1 begins (attempt 1) ",
                "64 s why: transfer 1.1.1 is stopped, and waits for Wi-Fi R-52",
                "124 s why: transfer 1.1.1 begins (attempt 2) ",
                "130 s why: transfer 1.1.1 is complete, 10485760 bytes R-59",
                "130 s calls: didFinishDownloadingTo of https://example.org/film R-59",
                "130 s calls: didCompleteWithError of https://example.org/film ",
                "130 s why: transfer 1.1.1 is delivered R-59",
            ])
    }

    /// The tooltip of a download's bar says what the download waited for.
    @Test func aBarNamesItsWaits() throws {
        let (scenario, outcome) = try outcome(waits)
        let page = Timeline.page([Timeline.Picture(scenario, outcome, file: "x")])
        let bars = page.matches(of: /<g class="bar"><title>([^<]*)<\/title>/).map { String($0.output.1) }
        let download = try #require(bars.first { $0.contains("transfer 1.1.1 is made") })
        let lines = download.split(separator: "\n").map(String.init)
        #expect(
            Array(lines.dropFirst()) == [
                "0:00.000  transfer 1.1.1 waits for Wi-Fi  (R-52)", "1:00.000  transfer 1.1.1 begins (attempt 1)",
                "1:04.000  transfer 1.1.1 is stopped, and waits for Wi-Fi  (R-52)",
                "2:04.000  transfer 1.1.1 begins (attempt 2)", "until 2:10.000",
            ])
    }

    @Test func aRetryReportsItsReasonOnce() throws {
        let (_, outcome) = try outcome(
            """
            apps: {Media: {scenes: false}}
            steps:
              - launch: Media
              - {download: https://example.org/film, in: Media}
              - expect: {Media: {downloads: {https://example.org/film: retry}}}
            """)
        #expect(outcome.problems == [])
        let lines = outcome.story.map(\.text).filter { $0.contains("transfer 1.1.1") }
        #expect(lines.count == 3 && lines[2].contains("there is no such host"), "\(lines)")
    }

    /// A download's bar continues after its app has ended. The bars of tasks and wakes end with the app.
    @Test func aBarOutlivesItsApp() throws {
        let text = """
            serves: {https://example.org/film: 10MB}
            apps: {Media: {scenes: false}}
            steps:
              - network: wifi
                speed: 1MB
              - launch: Media
              - {download: https://example.org/film, in: Media}
              - {begin: upload, in: Media}
              - wait: 3s
              - {crash: , in: Media}
              - wait: 1m
            """
        let (scenario, outcome) = try outcome(text)
        let page = Timeline.page([Timeline.Picture(scenario, outcome, file: "x")])
        let bars = page.matches(of: /<g class="bar"><title>([^<]*)<\/title>/).map { String($0.output.1) }
        let download = try #require(bars.first { $0.contains("transfer 1.1.1 is made") })
        let task = try #require(bars.first { $0.contains("upload") })
        #expect(download.hasSuffix("until 0:10.000") && task.hasSuffix("until 0:03.000"), "\(bars)")
    }

    /// Hours of downloading have many events, and are not taken for an endless loop.
    @Test func aDownloadMayTakeHours() throws {
        let (_, outcome) = try outcome(
            """
            serves: {https://example.org/film: 21GB}
            apps: {Media: {scenes: false}}
            steps:
              - {network: wifi, speed: 1MB}
              - launch: Media
              - {download: https://example.org/film, in: Media}
              - home
              - wait: 6h
              - expect: {Media: {state: suspended, downloads: {https://example.org/film: done}}}
            """)
        #expect(outcome.problems == [])
    }

    @Test func anUninstalledAppHasNoDownloads() throws {
        let (_, outcome) = try outcome(
            """
            serves: {https://example.org/film: 10MB}
            apps: {Media: {scenes: false}}
            steps:
              - launch: Media
              - {download: https://example.org/film, in: Media}
              - uninstall: Media
              - wait: 10s
              - expect: {Media: {downloads: {https://example.org/film: none}}}
            """)
        #expect(outcome.problems == [])
        #expect(outcome.story.filter { $0.text == "transfer 1.1.1 is gone with its app" }.count == 1)
    }
}
