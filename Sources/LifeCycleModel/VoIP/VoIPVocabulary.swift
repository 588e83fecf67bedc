/// The words of VoIP pushes and calls.
enum VoIPVocabulary: ConcernVocabulary {
    static var callNames: [String] { VoIPCall.names }
    static func appAskedFor(by input: ConcernInput) -> AppID? {
        if case .voip(let input) = input { input.appAskedFor } else { nil }
    }
    static func call(_ call: ConcernCall) -> (any DeliveredCall)? {
        if case .voip(let call) = call { call } else { nil }
    }
    static func message(_ message: ConcernMessage) -> (any AppMessage)? {
        if case .voip(let news) = message { news } else { nil }
    }
    static func output(_ output: ConcernOutput) -> (any AdapterWork)? {
        if case .voip(let output) = output { output } else { nil }
    }
    static func record(_ record: ConcernRecord) -> (any RecordedChange)? {
        if case .voip(let change) = record { change } else { nil }
    }
}
