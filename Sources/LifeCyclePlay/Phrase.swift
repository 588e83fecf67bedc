/// A text in the languages of the page. Apple's names are the same in both.
struct Phrase: Hashable, Sendable {
    let english: String
    let korean: String

    init(_ english: String, _ korean: String) {
        self.english = english
        self.korean = korean
    }

    /// A name of Apple's, or anything else that needs no translation.
    init(name: String) { self.init(name, name) }
}
