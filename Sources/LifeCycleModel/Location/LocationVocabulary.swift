/// The words of locations.
enum LocationVocabulary: ConcernVocabulary {
    static var callNames: [String] { LocationCall.names }
    static func appAskedFor(by input: ConcernInput) -> AppID? {
        if case .location(let input) = input { input.appAskedFor } else { nil }
    }
    static func call(_ call: ConcernCall) -> (any DeliveredCall)? {
        if case .location(let call) = call { call } else { nil }
    }
    static func message(_ message: ConcernMessage) -> (any AppMessage)? {
        if case .location(let news) = message { news } else { nil }
    }
    static func output(_ output: ConcernOutput) -> (any AdapterWork)? {
        if case .location(let output) = output { output } else { nil }
    }
    static func record(_ record: ConcernRecord) -> (any RecordedChange)? {
        if case .location(let change) = record { change } else { nil }
    }
}
