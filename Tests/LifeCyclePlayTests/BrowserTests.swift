import Foundation
import LifeCycleModel
import Testing

@testable import LifeCyclePlay

extension Trait where Self == ConditionTrait {
    /// A condition for tests that look at the page in a browser.
    static var whereChromiumIs: Self {
        .enabled("there is no chromium: scripts/setup installs it") {
            ProcessInfo.processInfo.environment["CI"] == "true" || Chromium.program != nil
        }
    }
}

/// The page in a browser: a reader sees the content of the file.
@Suite(.whereChromiumIs) struct BrowserTests {
    /// After each list of actions, the page highlights only the state that the brain gives.
    @Test(arguments: [
        ("", "notRunning"), ("launch", "active"), ("launch,call", "inactive"), ("launch,begin,home", "background"),
        ("launch,home", "suspended"), ("launch,home,memoryShort", "notRunning"), ("location", "background"),
        ("launch,home,push", "suspended"), ("fetch", "suspended"), ("launch,schedule,home,time,tap", "active"),
    ])
    func theStateIsLit(acts: String, state: String) throws {
        let page = try Chromium.page("run=\(acts)&lang=en")
        let lit = page.matches(of: /class="node (\w+) lit"/).map { String($0.output.1) }
        #expect(lit == [state])
        #expect(page.contains("data-state=\"\(state)\""))
    }

    /// All listed lines in order, which equal the brain's table word for word.
    @Test(arguments: [
        ("iOS26", "scenes", 0, "launch,begin,home,time,location,lock,unlock,swipe,location"),
        ("iOS7", "delegate", 1, "launch,beginWithoutHandler,lock,time,time,launch,crash,home"),
        (
            "iOS26", "scenes", 1,
            "push,launch,schedule,home,fetch,time,memoryShort,tap,home,restart,push,unlock,swipe,push"
        ),
        ("iOS4", "delegate", 0, "launch,push,fetch,schedule,begin,home,time,tap"),
        ("iOS27", "delegate", 0, "launch,location"), ("iOS4", "optOut", 1, "launch,begin,home"),
    ])
    func theLinesAreTheBrains(generation: String, app: String, language: Int, words: String) throws {
        let policy = try #require(Policy.preset(named: generation))
        var world = PlayWorld(policy: policy, app: try #require(PlayApp(rawValue: app)))
        var expected: [String] = []
        for word in words.split(separator: ",") {
            let act = try #require(PlayAct.all.first { $0.word == word })
            let lines = world.perform(act)
            expected.append("▸ " + text(act.name, language))
            for line in lines {
                let start = line.kind == .other ? ["another app: ", "다른 앱: "][language] : ""
                expected.append(start + text(line.text, language) + (line.rule ?? ""))
            }
            if lines.isEmpty { expected.append(text(nothing, language)) }
        }
        let fragment = "run=\(words)&gen=\(generation)&app=\(app)&lang=\(["en", "ko"][language])"
        let page = try Chromium.page(fragment)
        let log = try #require(page.firstMatch(of: /(?s)<ol id="log".*?<\/ol>/)).output
        let items = log.matches(of: /(?s)<li.*?<\/li>/).map { item in
            item.output.replacing(/<[^>]*>/, with: "").replacing("&gt;", with: ">").replacing("&amp;", with: "&")
        }
        #expect(items.map(String.init) == expected)
        #expect(page.contains("<html lang=\"\(["en", "ko"][language])\""))
    }

    /// Every button exists, and the gray ones are those that are refused.
    @Test func refusedButtonsAreGray() throws {
        let page = try Chromium.page("run=launch&lang=en&gen=iOS26")
        let buttons = page.matches(of: /<button type="button"(?: class="(\w*)")? data-act="(\w+)"(?: class="(\w*)")?/)
        #expect(buttons.map { String($0.output.2) }.sorted() == PlayAct.all.map(\.word).sorted())
        let gray = buttons.filter { $0.output.1 == "dim" || $0.output.3 == "dim" }.map { String($0.output.2) }
        #expect(Set(gray) == ["unlock", "decline", "accept", "end", "time", "tap"])
        #expect(page.matches(of: /data-scenario=/).count == PlayScenario.all.count)
    }

    /// The banner on the phone, which is visible only while the notification is.
    @Test(arguments: [
        ("launch,schedule,home", false), ("launch,schedule,home,time", true), ("launch,schedule,time", false),
    ])
    func theBannerIsDisplayedWithANotification(acts: String, isShown: Bool) throws {
        let page = try Chromium.page("run=\(acts)&lang=en&gen=iOS26")
        #expect(page.contains("<g class=\"note on\">") == isShown)
        #expect(page.contains("<span class=\"\">notification shown</span>") == isShown)
    }

    private var nothing: Phrase {
        PlayWords.all.first { $0.key == "nothing" }?.text ?? Phrase(name: "")
    }

    private func text(_ phrase: Phrase, _ language: Int) -> String {
        language == 0 ? phrase.english : phrase.korean
    }
}

/// A headless browser.
private enum Chromium {
    struct Failure: Error, CustomStringConvertible { let description: String }

    static let program = [
        "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome", "/usr/local/bin/chromium",
    ].first { FileManager.default.isExecutableFile(atPath: $0) }

    /// The page after its script has run, with `fragment` in its address.
    static func page(_ fragment: String) throws -> String {
        guard let program else { throw Failure(description: "there is no chromium: scripts/setup installs it") }
        let profile = FileManager.default.temporaryDirectory.appendingPathComponent("roost-play-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: profile) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        let file = Repository.top.appendingPathComponent("docs/play.html").absoluteString
        process.arguments = [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--user-data-dir=\(profile.path)",
            "--timeout=20000", "--dump-dom", "\(file)#\(fragment)",
        ]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0, !data.isEmpty else {
            throw Failure(description: "\(program) ended with \(process.terminationStatus), \(data.count) bytes")
        }
        return String(decoding: data, as: UTF8.self)
    }
}
