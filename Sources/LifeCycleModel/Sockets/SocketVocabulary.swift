/// The words of kept sockets.
enum SocketVocabulary: ConcernVocabulary {
    static var callNames: [String] { SocketCall.names }
    static func appAskedFor(by input: ConcernInput) -> AppID? { nil }
    static func call(_ call: ConcernCall) -> (any DeliveredCall)? {
        if case .socket(let call) = call { call } else { nil }
    }
    static func message(_ message: ConcernMessage) -> (any AppMessage)? {
        if case .socket(let news) = message { news } else { nil }
    }
    static func output(_ output: ConcernOutput) -> (any AdapterWork)? {
        if case .socket(let output) = output { output } else { nil }
    }
    static func record(_ record: ConcernRecord) -> (any RecordedChange)? {
        if case .socket(let change) = record { change } else { nil }
    }
}
