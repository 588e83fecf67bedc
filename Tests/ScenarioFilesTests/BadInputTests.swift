import LifeCycleModel
import LifeCycleScenario
import ScenarioFiles
import Testing

/// The problems of a text, each as `line:column: message`; empty if the text is as expected.
func problems(_ text: String) -> [String] { problems(Array(text.utf8)) }

private func problems(_ bytes: [UInt8]) -> [String] {
    do throws(ScenarioProblem) {
        return ScenarioRun(try ScenarioFile.scenario(from: bytes)).run().problems.map(\.description)
    } catch {
        return [error.description]
    }
}

/// A scenario with the app Notes and these steps. The first step is on line 4.
func steps(_ steps: String) -> String { "title: x\napps: {Notes: }\nsteps:\n\(steps)\n" }

struct Bad: CustomTestStringConvertible, Sendable {
    let text: String
    /// The place of the problem, and a part of the message.
    let place: String
    let says: String

    init(_ text: String, _ place: String, _ says: String) { (self.text, self.place, self.says) = (text, place, says) }

    var testDescription: String { String(text.prefix(60)) }
}

/// Problems of scenarios. Each is reported with its place, and the program never fails otherwise.
@Suite struct BadInputTests {
    @Test(arguments: [
        Bad("", "1:1", "empty"), Bad("# nothing\n", "1:1", "empty"), Bad("hello", "1:1", "expected a scenario"),
        Bad("- a\n- b\n", "1:1", "expected a scenario"), Bad("a: [", "2:1", "not YAML"),
        Bad("a: b: c\n", "1:5", "not YAML"), Bad("\tx: 1\n", "1:1", "not YAML"),
        Bad("a: \"\u{1}\"\n", "1:5", "not YAML"),
        Bad("title: x\nsteps: [home]\n", "1:1", "expected apps"),
        Bad("apps: {Notes: }\ncolor: red\n", "2:1", "unknown word \"color\", expected one of title"),
        Bad("apps: {Notes: }\n", "1:1", "expected steps"), Bad("apps: {Notes: }\nsteps: []\n", "2:8", "expected steps"),
        Bad("apps: {}\nsteps: [home]\n", "1:7", "1 to 100 apps"),
        Bad("apps: Notes\nsteps: [home]\n", "1:7", "the apps by name, found \"Notes\""),
        Bad("apps: {foreground: }\nsteps: [home]\n", "1:8", "cannot be called foreground"),
        Bad("apps: {Notes: {color: red}}\nsteps: [home]\n", "1:16", "unknown word \"color\""),
        Bad("apps: {Notes: {modes: [dancing]}}\nsteps: [home]\n", "1:24", "a background mode: audio"),
        Bad("apps: {Notes: {memory: much}}\nsteps: [home]\n", "1:24", "such as 200MB"),
        Bad("apps: {Notes: {memory: 99999999999999999999GB}}\nsteps: [home]\n", "1:24", "such as 200MB"),
        Bad("apps: {Notes: {does: {onTuesdays: hang}}}\nsteps: [home]\n", "1:23", "unknown word \"onTuesdays\""),
        Bad("apps: {Notes: {does: {willTerminate: sing}}}\nsteps: [home]\n", "1:38", "unknown word \"sing\""),
        Bad("apps: {Notes: {does: {willTerminate: {take: soon}}}}\nsteps: [home]\n", "1:45", "a length of time"),
        Bad("apps: {Notes: }\npolicy: iOS1\nsteps: [home]\n", "2:9", "iOS26"),
        Bad("apps: {Notes: }\nlimits: {patience: 3s}\nsteps: [home]\n", "2:10", "no limit called \"patience\""),
        Bad("apps: {Notes: }\nlimits: {expirationLead: 3h}\nsteps: [home]\n", "2:9", "longer than backgroundTime"),
        Bad("apps: {Notes: }\nsettings: {passcode: maybe}\nsteps: [home]\n", "2:12", "on, off"),
        Bad("apps: {Notes: , Notes: }\nsteps: [home]\n", "1:8", "expected each name once"),
        Bad("apps: {Notes: }\nsteps: [home]\n---\na: b\n", "3:1", "another document"),
        Bad("apps: &a {Notes: }\nsteps: [home]\n", "1:7", "aliases are not allowed"),
        Bad("? [a, b]\n: c\n", "1:3", "expected a name"),
    ])
    func files(bad: Bad) { check(bad) }

    @Test(arguments: [
        Bad("- frobnicate", "4:3", "unknown word \"frobnicate\", expected an action: wait"),
        Bad("- frobnicate: Notes", "4:3", "unknown word"), Bad("- [home]", "4:3", "found a list"),
        Bad("-", "4:2", "found nothing"), Bad("- {}", "4:3", "unknown word nothing"),
        Bad("- launch: Mail", "4:11", "no app called \"Mail\", expected an app: Notes"),
        Bad("- launch", "4:3", "expected an app: Notes, found nothing"),
        Bad("- launch: [Notes]", "4:11", "found a list"),
        Bad("- home: Notes", "4:9", "nothing after home"), Bad("- home\n- lock:\n  color: red", "6:3", "below lock"),
        Bad("- launch: Notes\n  home:", "5:3", "two actions in one step"), Bad("- wait", "4:3", "a length of time"),
        Bad("- wait: soon", "4:9", "5s, 250ms, 2m or 1h30m, found \"soon\""),
        Bad("- wait: -1s", "4:9", "found \"-1s\""),
        Bad("- wait: 9999999999999999999999s", "4:9", "a length of time"),
        Bad("- wait: 100000h", "4:9", "at most a year"),
        Bad("- location", "4:3", "a latitude and a longitude"), Bad("- location: 1 2 3", "4:13", "52.52 13.405"),
        Bad("- location: 90.1 0", "4:13", "found \"90.1 0\""), Bad("- location: 9999 0", "4:13", "a latitude"),
        Bad("- location: 1e1 0", "4:13", "a latitude"), Bad("- permit: Notes", "4:3", "permit needs permission: ask"),
        Bad("- permit: Notes\n  permission: never", "5:15", "the user's decision: ask, deny, whenInUse, always"),
        Bad("- call: rings", "4:9", "the end of a phone call: begin, end"),
        Bad("- setsAudio: loud\n  in: Notes", "4:14", "ambient, soloAmbient, playback, playback mixing"),
        Bad("- setsAudio: ambient mixing\n  in: Notes", "4:14", "a category of sound"),
        Bad("- playsAudio: long\n  in: Notes", "4:15", "a length of time"),
        Bad("- stopsAudio: all\n  in: Notes", "4:15", "nothing after stopsAudio"),
        Bad("- voipPush: Mail", "4:13", "no app called \"Mail\""), Bad("- voipPush", "4:3", "expected an app: Notes"),
        Bad(
            "- phone: ring", "4:10", "the user's action on a call: answer, decline, end, hold, resume, mute, unmute"),
        Bad("- phone", "4:3", "the user's action on a call"),
        Bad("- reportsCall: 9\n  in: Notes", "4:16", "a whole number from 1 to 8"),
        Bad("- reportsCall: Ada\n  in: Notes", "4:16", "a whole number"),
        Bad("- startsCall: 9\n  in: Notes", "4:15", "a whole number from 1 to 8"),
        Bad("- connectsCall: Ada\n  in: Notes", "4:17", "a whole number"),
        Bad("- endsCall: 0\n  in: Notes", "4:13", "a whole number from 1 to 8"),
        Bad("- registersVoIP: Notes\n  in: Notes", "4:18", "true or false"),
        Bad("- traffic: Mail", "4:12", "no app called \"Mail\""),
        Bad("- traffic: Notes\n  socket: 0", "5:11", "a whole number from 1 to 1000"),
        Bad("- hangUp: Notes\n  over: yes", "5:3", "unknown word \"over\""),
        Bad("- keepsSocket: 5\n  in: Notes", "4:16", "nothing after keepsSocket"),
        Bad("- keepAlive: never\n  in: Notes", "4:14", "a length of time"),
        Bad("- wait: 8000h\n- wait: 8000h", "5:3", "at most a year"),
        Bad("- sleep: 8000h\n- wait: 8000h", "5:3", "a year"),
        Bad("- wait: 5s\n- home:\n  at: 2s", "6:7", "impossible: it is already 0:05.000"),
        Bad("- wake: Notes", "4:3", "expected for:"), Bad("- wake: Notes\n  for: fun", "5:8", "location"),
        Bad("- memory: plenty", "4:11", "warning, critical"), Bad("- interrupt: boredom", "4:14", "call, message"),
        Bad("- send: Notes", "4:3", "text: or touch:"),
        Bad("- send: Notes\n  touch: [1]", "5:10", "a place on the screen"),
        Bad("- settings: {passcode: on, power: battery}", "4:13", "one setting"),
        Bad("- settings: {passcode: on}\n  of: Notes", "5:7", "backgroundRefresh"),
        Bad("- begin: upload", "4:3", "expected in: and the app"),
        Bad("- flood: many\n  in: Notes", "4:10", "a whole number"),
        Bad("- crash: 99\n  in: Notes", "4:10", "from 1 to 64"),
        Bad("- end:\n  in: Notes", "4:7", "the name of a task"),
        Bad("- home:\n  refused: never", "5:12", "the reason for the refusal"),
        Bad("- expect: {Mail: active}", "4:12", "no app called"),
        Bad("- expect: {Notes: happy}", "4:19", "not running, inactive"),
        Bad("- expect: {Notes: {mood: happy}}", "4:20", "unknown word \"mood\""),
        Bad("- expect: {Notes: {called: [music]}}", "4:29", "a callback"),
        Bad("- expect: {Notes: {ended: well}}", "4:27", "the reason for the end"),
        Bad("- expect: {locked: perhaps}", "4:20", "true or false"),
        Bad("- expect", "4:3", "expectations, by app"),
    ])
    func words(bad: Bad) { check(Bad(steps(bad.text), bad.place, bad.says)) }

    @Test(arguments: [
        Bad("- home", "4:3", "impossible: home is refused, nothingInForeground"),
        Bad("- lock\n- launch: Notes", "5:3", "refused, locked"),
        Bad("- launch: Notes\n- home:\n  refused: locked", "6:12", "expected to be refused, locked, but was possible"),
        Bad("- home:\n  refused: locked", "5:12", "but was refused, nothingInForeground"),
        Bad("- wake: Notes\n  for: locationUpdate", "4:3", "refused, modeNotDeclared"),
        Bad("- voipPush: Notes", "4:3", "refused, notRegistered"),
        Bad("- phone: answer", "4:3", "refused, noCall"), Bad("- phone: end", "4:3", "refused, noCall"),
        Bad("- traffic: Notes", "4:3", "impossible: Notes is not running"),
        Bad("- launch: Notes\n- home\n- traffic: Notes", "6:3", "the system keeps no socket 1 of Notes"),
        Bad("- uninstall: Notes\n- launch: Notes", "5:3", "refused, notInstalled"),
        Bad("- crash:\n  in: Notes", "4:3", "impossible: Notes is not running"),
        Bad("- launch: Notes\n- home\n- begin: upload\n  in: Notes", "6:3", "impossible: Notes is suspended"),
        Bad("- launch: Notes\n- end: upload\n  in: Notes", "5:3", "no task of that name"),
        Bad("- launch: Notes\n- home\n- reboot\n- begin: upload\n  in: Notes", "7:3", "only started early"),
        Bad("- launch: Notes\n- hang:\n  in: Notes\n- hang:\n  in: Notes", "7:3", "hangs already"),
    ])
    func impossibleSteps(bad: Bad) { check(Bad(steps(bad.text), bad.place, bad.says)) }

    @Test(arguments: [
        Bad(
            "- launch: Notes\n- expect: {Notes: suspended}", "5:19", "expected Notes to be suspended, but it is active"),
        Bad(
            "- expect: {Notes: {called: [didBecomeActive]}}", "4:20",
            "to receive the callbacks didBecomeActive, but it received nothing"),
        Bad("- expect: {Notes: {posted: [didBecomeActive]}}", "4:20", "but it posted nothing"),
        Bad("- expect: {Notes: {tasks: [a]}}", "4:20", "to be a, but they are nothing"),
        Bad("- expect: {Notes: {backgroundTime: 5s}}", "4:20", "to be 5 s, but it is none"),
        Bad("- expect: {Notes: {ended: memory}}", "4:20", "but it is none"),
        Bad("- expect: {Notes: {code: 0x1}}", "4:20", "the code of the end of Notes to be 0x1"),
        Bad("- expect: {Notes: {decided: slow}}", "4:20", "slow"),
        Bad("- expect: {Notes: {prewarmed: true}}", "4:20", "but it is false"),
        Bad("- expect: {Notes: {received: hi}}", "4:20", "but it received nothing"),
        Bad("- expect: {foreground: Notes}", "4:24", "the foreground app to be Notes, but it is none"),
        Bad("- expect: {locked: true}", "4:20", "but it is false"),
        Bad("- expect: {interrupted: call}", "4:25", "but it is no"),
        Bad("- expect: {awake: true}", "4:19", "but it is false"),
    ])
    func wrongExpectations(bad: Bad) { check(Bad(steps(bad.text), bad.place, bad.says)) }

    @Test func everyWrongExpectationIsReported() {
        let found = problems(
            steps("- expect: {Notes: active, foreground: Notes}\n- wait: 1s\n- expect: {Notes: inactive}"))
        #expect(found.map { String($0.prefix(5)) } == ["4:19:", "4:39:", "6:19:"], "\(found)")
    }

    func check(_ bad: Bad) {
        let found = problems(bad.text)
        #expect(found.count == 1, "\(found)")
        #expect(found.first?.hasPrefix(bad.place + ": ") == true, "\(found)")
        #expect(found.first?.contains(bad.says) == true, "\(found)")
    }

    // MARK: Bytes

    @Test func invalidUTF8IsReported() {
        #expect(problems(Array("title: x\nabout: é".utf8) + [0xC3, 0x28])[0].hasPrefix("2:9: this is not UTF-8"))
        #expect(problems([0xFF])[0].hasPrefix("1:1: this is not UTF-8"))
        #expect(problems([0xFF, 0xFE, 0x61, 0x00])[0].contains("UTF-16"))
        #expect(problems([0])[0].contains("not YAML"))
    }

    @Test func aByteOrderMarkIsNoMistake() throws {
        let text = "apps:\n  A: {scenes: false}\nsteps:\n  - launch: A\n"
        let plain = try ScenarioFile.scenario(from: Array(text.utf8))
        #expect(try ScenarioFile.scenario(from: [0xEF, 0xBB, 0xBF] + Array(text.utf8)) == plain)
    }

    @Test func filesThatAreTooLargeAreRefused() {
        let text = steps("- home # " + String(repeating: "x", count: ScenarioFile.largest))
        #expect(problems(text) == ["1:1: the file is too large: expected at most 262144 bytes"])
        let many = steps(String(repeating: "- {wait: 0}\n", count: 10_001))
        #expect(problems(many)[0].hasPrefix("10004:3: expected at most 10000 steps"))
    }

    /// Nine aliases of nine aliases of nine aliases, and so on. One of the texts has them as a key, which is hashed.
    @Test(arguments: ["bomb: *i", "? *i\n: bomb"])
    func bombs(end: String) {
        var text = "a: &a [x, x, x, x, x, x, x, x, x]\n"
        for (name, last) in zip("bcdefghi", "abcdefgh") {
            text += "\(name): &\(name) [" + String(repeating: "*\(last), ", count: 8) + "*\(last)]\n"
        }
        #expect(problems(text + end)[0].contains("aliases are not allowed"))
    }

    @Test(arguments: ["[", "{", "- ", "? ", "a: {"])
    func deepNests(opening: String) {
        #expect(problems(String(repeating: opening, count: 50_000)).count == 1)
        #expect(problems(steps("- " + String(repeating: opening, count: 400))).count == 1)
    }

    @Test func controlCharactersAreMadeVisible() {
        let found = problems("apps: {Notes: }\nsteps: [\"\\e[31m\u{202E}x\"]\n")
        #expect(found[0].contains("\\u{1b}[31m\\u{202e}x"), "\(found)")
    }

    @Test func endlessScenariosAreStopped() {
        let text = """
            limits: {requestRate: none}
            apps:
              Circles:
                does: {expirationHandler: [{end: again}, {begin: again}]}
            steps:
              - launch: Circles
              - begin: one
                in: Circles
              - home
              - wait: 30s
            """
        let found = problems(text)
        #expect(found.count == 1 && found[0].hasPrefix("10:5: too many events"), "\(found)")
    }

    /// Each small change to a scenario is accepted or refused. No change ends the program.
    @Test(arguments: ["T13-time-is-up", "R52-waits-for-wifi"])
    func everySmallChangeIsSurvived(name: String) throws {
        let text = Array(try Repository.text("Scenarios/\(name).yaml").utf8)
        for index in stride(from: 0, to: text.count, by: 17) {
            for byte in [UInt8(ascii: ":"), UInt8(ascii: "\n"), UInt8(ascii: "9"), 0xC3] {
                var changed = text
                changed[index] = byte
                _ = problems(changed)
            }
            _ = problems(Array(text[..<index]))
        }
    }
}
