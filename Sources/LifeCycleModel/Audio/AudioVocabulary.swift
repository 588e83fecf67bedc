/// The words of sound.
enum AudioVocabulary: ConcernVocabulary {
    static var callNames: [String] { AudioCall.names }
    static func appAskedFor(by input: ConcernInput) -> AppID? {
        if case .audio(let input) = input { input.appAskedFor } else { nil }
    }
    static func call(_ call: ConcernCall) -> (any DeliveredCall)? {
        if case .audio(let call) = call { call } else { nil }
    }
    static func message(_ message: ConcernMessage) -> (any AppMessage)? {
        if case .audio(let news) = message { news } else { nil }
    }
    static func output(_ output: ConcernOutput) -> (any AdapterWork)? { nil }
    static func record(_ record: ConcernRecord) -> (any RecordedChange)? { nil }
}
