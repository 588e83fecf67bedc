/// The words of background sessions.
enum TransferVocabulary: ConcernVocabulary {
    static var callNames: [String] { TransferCall.names }
    static func appAskedFor(by input: ConcernInput) -> AppID? {
        if case .transfer(let input) = input { input.appAskedFor } else { nil }
    }
    static func call(_ call: ConcernCall) -> (any DeliveredCall)? {
        if case .transfer(let call) = call { call } else { nil }
    }
    static func message(_ message: ConcernMessage) -> (any AppMessage)? {
        if case .transfer(_, let news) = message { news } else { nil }
    }
    static func output(_ output: ConcernOutput) -> (any AdapterWork)? {
        if case .transfer(let output) = output { output } else { nil }
    }
    static func record(_ record: ConcernRecord) -> (any RecordedChange)? {
        if case .transfer(let change) = record { change } else { nil }
    }
}
