/// What one key does: a thing the user or the device can do.
enum RunKey: Character, CaseIterable {
    case home = "h"
    case open = "o"
    case switchApp = "s"
    case interrupt = "i"
    case dismiss = "d"
    case accept = "a"
    case lock = "l"
    case unlock = "u"
    case send = "t"
    case wake = "b"
    case memoryWarning = "w"
    case memoryCritical = "m"
    case setting = "p"
    case forceQuit = "k"
    case relaunch = "r"
    case help = "?"
    case quit = "q"

    /// What it does, for `?`.
    var help: String {
        switch self {
        case .home: "home: the app goes to the background"
        case .open: "open the app, by its icon"
        case .switchApp: "switch to the app used before"
        case .interrupt: "interrupt the app: a call, a message, …"
        case .dismiss: "dismiss the interruption"
        case .accept: "accept the interruption: the app goes to the background"
        case .lock: "lock the screen"
        case .unlock: "unlock the screen"
        case .send: "type a text into the app"
        case .memoryWarning: "memory is low: apps are warned"
        case .memoryCritical: "memory is critical: a suspended app has to go"
        case .setting: "change a setting of the device"
        case .wake: "let something happen that wakes the app in the background"
        case .forceQuit: "swipe the app away"
        case .relaunch: "swipe the app away and open it anew"
        case .help: "these keys"
        case .quit: "quit"
        }
    }
}

/// A question at the bottom of the screen, until it is answered.
enum RunPrompt {
    /// One of a few things, by its number.
    case choice(of: [String], question: String, then: (Int) -> Void)
    /// A line of text, as far as it is typed.
    case text(String, question: String, then: (String) -> Void)

    /// What the last line of the screen says meanwhile.
    var line: String {
        switch self {
        case .choice(let choices, let question, _):
            question + ":  "
                + choices.enumerated().map { "\($0 + 1) \($1)" }.joined(separator: "  ") + "  (Esc: none)"
        case .text(let typed, let question, _): "\(question): \(typed)▏"
        }
    }

    /// What is left of it after this was typed; nil where it is answered or given up.
    func typed(_ typed: Typed) -> RunPrompt? {
        switch (self, typed) {
        case (_, .escape), (_, .end): return nil
        case (.choice(let choices, _, let then), .character(let character)):
            guard let number = character.wholeNumberValue, choices.indices.contains(number - 1) else { return self }
            then(number - 1)
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
