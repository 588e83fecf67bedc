/// The words of one concern. Each function returns nil for a word of another concern.
protocol ConcernVocabulary: SendableMetatype {
    /// The names of the delegate methods that the concern calls.
    static var callNames: [String] { get }
    /// The app that the input asks to run; nil also if it does not ask for an app.
    static func appAskedFor(by input: ConcernInput) -> AppID?

    static func call(_ call: ConcernCall) -> (any DeliveredCall)?
    static func message(_ message: ConcernMessage) -> (any AppMessage)?
    static func output(_ output: ConcernOutput) -> (any AdapterWork)?
    static func record(_ record: ConcernRecord) -> (any RecordedChange)?
}

enum Vocabularies {
    static let all: [any ConcernVocabulary.Type] = [
        AudioVocabulary.self,
        FetchVocabulary.self,
        LocationVocabulary.self,
        NotificationVocabulary.self,
        SocketVocabulary.self,
        TransferVocabulary.self,
        VoIPVocabulary.self,
    ]

    /// The word itself. A word that no vocabulary has is a programming error.
    static func own<Word>(_ sum: some Any, _ read: (any ConcernVocabulary.Type) -> Word?) -> Word {
        for vocabulary in all { if let word = read(vocabulary) { return word } }
        preconditionFailure("the vocabulary of \(sum) is not in Vocabularies.all")
    }
}
