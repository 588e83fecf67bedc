import LifeCycleScenario

/// The text of a scenario file, checked before a parser reads it.
struct ScenarioText {
    let value: String

    /// A text with more words that begin with `*` is rejected: aliases of aliases can exhaust memory.
    static let mostStars = 16

    /// Throws if the bytes are not UTF-8, or have too many words that begin with `*`.
    init(_ bytes: [UInt8]) throws(ScenarioProblem) {
        if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
            throw ScenarioProblem(.start, "the file is in UTF-16: expected UTF-8")
        }
        // Editors on Windows begin a file with this mark.
        let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        guard let value = String(validating: bytes, as: UTF8.self) else {
            var (rest, decoder) = (bytes.makeIterator(), UTF8())
            var right = String.UnicodeScalarView()
            while case .scalarValue(let scalar) = decoder.decode(&rest) { right.append(scalar) }
            throw ScenarioProblem(Self.place(at: right.count, in: String(right)), "this is not UTF-8")
        }
        self.value = value
        try checkStars()
    }

    private func checkStars() throws(ScenarioProblem) {
        var count = 0
        var previous: Unicode.Scalar = "\n"
        for (offset, scalar) in value.unicodeScalars.enumerated() {
            if scalar == "*", !previous.properties.isAlphabetic {
                count += 1
                if count > Self.mostStars {
                    throw ScenarioProblem(
                        place(at: offset),
                        "more than \(Self.mostStars) words begin with *: aliases are not allowed here, write values out"
                    )
                }
            }
            previous = scalar
        }
    }

    /// The place of a Unicode scalar, which is given by its number.
    func place(at offset: Int) -> Place { Self.place(at: offset, in: value) }

    private static func place(at offset: Int, in text: String) -> Place {
        var (line, column) = (1, 1)
        for scalar in text.unicodeScalars.prefix(offset) {
            if scalar == "\n" { (line, column) = (line + 1, 1) } else { column += 1 }
        }
        return Place(line: line, column: column)
    }
}
