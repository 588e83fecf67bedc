import LifeCycleModel
import RoostWire

/// A key of `roost run`, for an action of the user or the device.
struct RunKey: Sendable {
    /// The times at which a key has an effect.
    enum Availability { case onceLaunched, alsoWhileDeviceIsOff, always }

    let character: Character
    /// The description of the action, for `?`.
    let help: String
    let availability: Availability
    let press: @Sendable (RunSession) -> Void

    init(
        _ character: Character, _ help: String, _ availability: Availability = .onceLaunched,
        press: @escaping @Sendable (RunSession) -> Void
    ) {
        self.character = character
        self.help = help
        self.availability = availability
        self.press = press
    }

    static let device = RunKey("z", "shut the device down, or start it", .alsoWhileDeviceIsOff) {
        $0.isDeviceOff ? $0.startDevice() : $0.shutDownDevice(startingAgain: false)
    }

    /// All keys, in the order of `?`.
    static let all: [RunKey] =
        [
            RunKey("h", "home: the app goes to the background") { $0.act("home", .home) },
            RunKey("o", "open the app, by its icon") { $0.open() },
            RunKey("s", "switch to the app used before") { $0.act("switch to the app used before", .switchTo(nil)) },
            RunKey("n", "switch to an app by its name") { session in
                session.chooseApp("switch to") { [unowned session] in
                    session.act("switch to \($0.name)", .switchTo($0.identifier))
                }
            },
            RunKey("i", "interrupt the app: a call, a message, …") { session in
                session.choose(of: Interruption.allCases.map(\.rawValue), "interrupt by") { [unowned session] in
                    let kind = Interruption.allCases[$0]
                    session.act("interrupt by \(kind.rawValue)", .interrupt(kind))
                }
            },
            RunKey("d", "dismiss the interruption") { $0.act("dismiss", .dismiss) },
            RunKey("a", "accept the interruption: the app goes to the background") { $0.act("accept", .accept(nil)) },
            RunKey("g", "accept the interruption, and go to an app") { session in
                session.chooseApp("accept, and go to") { [unowned session] in
                    session.act("accept, and go to \($0.name)", .accept($0.identifier))
                }
            },
            RunKey("l", "lock the screen") { $0.act("lock", .lock) },
            RunKey("u", "unlock the screen") { $0.act("unlock", .unlock) },
            RunKey("t", "type a text into the app") { session in
                session.prompt = .text("", question: "text") { [unowned session] in session.type($0) }
            },
            RunKey("f", "touch the app's screen with a finger") { session in
                session.prompt = .text("", question: "touch at x,y, of 390 by 844 points") { [unowned session] in
                    session.touch($0)
                }
            },
        ] + ConcernCommands.all.flatMap { $0.runKeys } + [
            RunKey("b", "cause an event that wakes the app in the background") { $0.wake() },
            RunKey("w", "memory is low: apps are warned") { $0.act("memory is low", .memory(.warning)) },
            RunKey("m", "memory is critical: a suspended app is ended") {
                $0.act("memory is critical", .memory(.critical))
            },
            RunKey("p", "change a setting of the device, or the app's") { $0.chooseSetting() },
            RunKey("c", "the clock is set; the app is notified") { $0.act("the clock is set", .clock) },
            RunKey("k", "swipe the app away") {
                $0.act("swipe \($0.manifest.displayName) away", .quit($0.manifest.identifier))
            },
            RunKey("r", "swipe the app away and open it again") { $0.relaunch() },
            device,
            RunKey("y", "restart the device", .alsoWhileDeviceIsOff) {
                $0.isDeviceOff ? $0.startDevice() : $0.shutDownDevice(startingAgain: true)
            },
            RunKey("v", "restart Roost; the app keeps running") { $0.restartSystem() },
            RunKey("?", "these keys", .always) { $0.showKeys() },
            RunKey("q", "quit", .always) { $0.end(0) },
        ]
}

/// A question at the bottom of the screen, until it is answered.
enum RunPrompt {
    /// One of several choices, by its number, or by a letter after the ninth.
    case choice(of: [String], question: String, then: (Int) -> Void)
    /// A line of text, with the part typed so far.
    case text(String, question: String, then: (String) -> Void)

    /// The question, for the last line of the screen.
    var line: String {
        switch self {
        case .choice(let choices, let question, _):
            question + ":  "
                + choices.enumerated().map { "\(Self.label($0)) \($1)" }.joined(separator: "  ") + "  (Esc: none)"
        case .text(let typed, let question, _): "\(question): \(typed)▏"
        }
    }

    /// The key for a choice: 1 to 9, then letters; a blank beyond z.
    static func label(_ index: Int) -> Character { labels.indices.contains(index) ? labels[index] : " " }

    private static let labels = Array("123456789abcdefghijklmnopqrstuvwxyz")

    /// The question after this input; nil if the question is answered or canceled.
    func typed(_ typed: Typed) -> RunPrompt? {
        switch (self, typed) {
        case (_, .escape), (_, .end): return nil
        case (.choice(let choices, _, let then), .character(let character)):
            guard let index = Self.labels.firstIndex(of: character), choices.indices.contains(index) else {
                return self
            }
            then(index)
            return nil
        case (.choice, .enter), (.choice, .backspace): return self
        case (.text(let text, let question, let then), .character(let character)):
            return .text(text + String(character), question: question, then: then)
        case (.text(let text, let question, let then), .backspace):
            return .text(String(text.dropLast()), question: question, then: then)
        case (.text(let text, _, let then), .enter):
            then(text)
            return nil
        }
    }
}
