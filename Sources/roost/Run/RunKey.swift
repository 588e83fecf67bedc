/// What one key does: a thing the user or the device can do.
enum RunKey: Character, CaseIterable {
    case home = "h"
    case open = "o"
    case switchApp = "s"
    case switchByName = "n"
    case interrupt = "i"
    case dismiss = "d"
    case accept = "a"
    case acceptIntoApp = "g"
    case lock = "l"
    case unlock = "u"
    case send = "t"
    case touch = "f"
    case notification = "e"
    case wake = "b"
    case memoryWarning = "w"
    case memoryCritical = "m"
    case setting = "p"
    case clock = "c"
    case forceQuit = "k"
    case relaunch = "r"
    case device = "z"
    case restartDevice = "y"
    case restartSystem = "v"
    case help = "?"
    case quit = "q"

    /// What it does, for `?`.
    var help: String {
        switch self {
        case .home: "home: the app goes to the background"
        case .open: "open the app, by its icon"
        case .switchApp: "switch to the app used before"
        case .switchByName: "switch to an app by its name"
        case .interrupt: "interrupt the app: a call, a message, …"
        case .dismiss: "dismiss the interruption"
        case .accept: "accept the interruption: the app goes to the background"
        case .acceptIntoApp: "accept the interruption, and go to an app by it"
        case .lock: "lock the screen"
        case .unlock: "unlock the screen"
        case .send: "type a text into the app"
        case .touch: "touch the app's screen with a finger"
        case .memoryWarning: "memory is low: apps are warned"
        case .memoryCritical: "memory is critical: a suspended app has to go"
        case .setting: "change a setting of the device, or the app's"
        case .clock: "the clock is set: the app is told"
        case .notification: "a notification that is shown: open the app by it, or take it away"
        case .wake: "let something happen that wakes the app in the background"
        case .forceQuit: "swipe the app away"
        case .relaunch: "swipe the app away and open it anew"
        case .device: "shut the device down, or start it"
        case .restartDevice: "start the device anew"
        case .restartSystem: "start Roost anew: the app goes on"
        case .help: "these keys"
        case .quit: "quit"
        }
    }
}

/// A question at the bottom of the screen, until it is answered.
enum RunPrompt {
    /// One of a few things, by its number, or its letter after the ninth.
    case choice(of: [String], question: String, then: (Int) -> Void)
    /// A line of text, as far as it is typed.
    case text(String, question: String, then: (String) -> Void)

    /// What the last line of the screen says meanwhile.
    var line: String {
        switch self {
        case .choice(let choices, let question, _):
            question + ":  "
                + choices.enumerated().map { "\(Self.label($0)) \($1)" }.joined(separator: "  ") + "  (Esc: none)"
        case .text(let typed, let question, _): "\(question): \(typed)▏"
        }
    }

    /// What chooses one of a few things: 1 to 9, then letters. Past the last there are none.
    static func label(_ index: Int) -> Character { labels.indices.contains(index) ? labels[index] : " " }

    private static let labels = Array("123456789abcdefghijklmnopqrstuvwxyz")

    /// What is left of it after this was typed; nil where it is answered or given up.
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
