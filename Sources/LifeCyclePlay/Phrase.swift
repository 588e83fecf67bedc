/// A text in the languages of the page. Apple's names are the same in both.
struct Phrase: Hashable, Sendable {
    let english: String
    let korean: String

    init(_ english: String, _ korean: String) {
        self.english = english
        self.korean = korean
    }

    /// A sentence that the table may have in Korean.
    init(_ english: String) { self.init(english, Korean.text(english)) }

    /// A name of Apple's, or anything else that needs no translation.
    init(name: String) { self.init(name, name) }
}
