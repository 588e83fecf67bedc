/// Korean sentences, looked up by their English. The table is data: a sentence that is missing from the table stays
/// English, so no decision has to wait for its translation.
enum Korean {
    private static let tables = [life, refusals, ends, concerns, loose]
    /// Sentences that begin with a placeholder or nearly so, tried after all other patterns.
    private static let loose: [(english: String, korean: String)] = [
        ("background task %1", "백그라운드 작업 %1"),
        ("%1 → %2", "%1 → %2"), ("%1 is not installed", "%1은 설치되어 있지 않음"), ("%1 is now %2", "설정 %1 바뀜"),
        ("%1 was set", "설정 %1 바뀜"), ("%1 is accepted", "%1: 받아들임"), ("%1 is over", "%1: 끝남"),
        ("%1: %2, after %3", "%1: %2, %3 걸림"), ("%1 s", "%1초"), ("%1, %2", "%1, %2"),
    ]
    /// The sentences without placeholders.
    private static let whole = Dictionary(
        tables.joined().filter { !$0.english.contains("%") }.map { ($0.english, $0.korean) },
        uniquingKeysWith: { first, _ in first })
    private static let patterns = tables.joined().filter { $0.english.contains("%") }
        .map { (english: pieces(of: $0.english), korean: $0.korean) }

    /// The Korean sentence; without a translation, the English sentence. The texts in the placeholders are looked up,
    /// too.
    static func text(_ english: String) -> String { found(english) ?? english }

    private static func found(_ english: String) -> String? {
        if let korean = whole[english] { return korean }
        for pattern in patterns {
            guard let gaps = gaps(in: english[...], between: pattern.english[...]) else { continue }
            let words = gaps.map(found)
            // A pattern that begins with a placeholder fits too many sentences, so all its parts must be known.
            let isLoose = pattern.english.first?.isEmpty == true
            if isLoose, zip(gaps, words).contains(where: { $1 == nil && $0.contains(" ") }) { continue }
            var korean = pattern.korean
            for (index, word) in zip(gaps, words).map({ $1 ?? $0 }).enumerated() {
                korean = korean.replacing("%\(index + 1)", with: word)
            }
            return korean
        }
        return nil
    }

    /// The text around the placeholders `%1`, `%2` and so on, in order.
    private static func pieces(of pattern: String) -> [Substring] {
        pattern.split(separator: "%", omittingEmptySubsequences: false).enumerated()
            .map { $0.offset == 0 ? $0.element : $0.element.dropFirst() }
    }

    private static func gaps(in text: Substring, between pieces: ArraySlice<Substring>) -> [String]? {
        guard let first = pieces.first, text.hasPrefix(first) else { return nil }
        let rest = text.dropFirst(first.count)
        let pieces = pieces.dropFirst()
        guard let next = pieces.first else { return rest.isEmpty ? [] : nil }
        if pieces.count == 1 {
            return rest.hasSuffix(next) ? [String(rest.dropLast(next.count))] : nil
        }
        guard let place = rest.firstRange(of: next) else { return nil }
        return gaps(in: rest[place.lowerBound...], between: pieces).map { [String(rest[..<place.lowerBound])] + $0 }
    }
}
