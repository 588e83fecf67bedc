/// The words of notifications.
enum NotificationVocabulary: ConcernVocabulary {
    static var callNames: [String] { NotificationCall.names }
    static func appAskedFor(by input: ConcernInput) -> AppID? {
        if case .notification(let input) = input { input.appAskedFor } else { nil }
    }
    static func call(_ call: ConcernCall) -> (any DeliveredCall)? {
        if case .notification(let call) = call { call } else { nil }
    }
    static func message(_ message: ConcernMessage) -> (any AppMessage)? {
        if case .notification(let news) = message { news } else { nil }
    }
    static func output(_ output: ConcernOutput) -> (any AdapterWork)? {
        if case .notification(let output) = output { output } else { nil }
    }
    static func record(_ record: ConcernRecord) -> (any RecordedChange)? {
        switch record {
        case .notification(let record): record
        case .push(let record): record
        default: nil
        }
    }
}
