/// A text in both languages of the page. Apple's names are the same in both.
struct Phrase: Hashable, Sendable {
    let english: String
    let korean: String

    init(_ english: String, _ korean: String) {
        self.english = english
        self.korean = korean
    }

    /// A sentence, with its Korean from the table if it is there.
    init(_ english: String) { self.init(english, Korean.text(english)) }

    /// A name that needs no translation, such as Apple's.
    init(name: String) { self.init(name, name) }
}
