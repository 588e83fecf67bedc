/// The words of background fetch.
enum FetchVocabulary: ConcernVocabulary {
    static var callNames: [String] { FetchCall.names }
    static func appAskedFor(by input: ConcernInput) -> AppID? {
        if case .fetch(let input) = input { input.appAskedFor } else { nil }
    }
    static func call(_ call: ConcernCall) -> (any DeliveredCall)? {
        if case .fetch(let call) = call { call } else { nil }
    }
    static func message(_ message: ConcernMessage) -> (any AppMessage)? { nil }
    static func output(_ output: ConcernOutput) -> (any AdapterWork)? { nil }
    static func record(_ record: ConcernRecord) -> (any RecordedChange)? {
        if case .fetch(let change) = record { change } else { nil }
    }
}
