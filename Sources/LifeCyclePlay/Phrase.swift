/// A text in both languages of the page. Apple's names are the same in both.
struct Phrase: Hashable, Sendable {
    let english: String
    let korean: String

    init(_ english: String, _ korean: String) {
        self.english = english
        self.korean = korean
    }

    /// A sentence, with its Korean translation if the table has it.
    init(_ english: String) { self.init(english, Korean.text(english)) }

    /// A name that needs no translation, such as Apple's.
    init(name: String) { self.init(name, name) }
}
