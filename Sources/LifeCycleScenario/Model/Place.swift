/// A position in a file: line and column, both from 1, the column in Unicode scalars.
public struct Place: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// From 1.
    public let line: Int
    /// The column, from 1, in Unicode scalars.
    public let column: Int

    /// The `column`th scalar of the `line`th line.
    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// The beginning of a file.
    public static let start = Place(line: 1, column: 1)

    /// In the order of reading.
    public static func < (left: Self, right: Self) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }

    /// `line:column`, as compilers print it.
    public var description: String { "\(line):\(column)" }
}

/// A value with its position in the file.
public struct Placed<Value: Hashable & Sendable>: Hashable, Sendable {
    /// The position.
    public let place: Place
    /// The text or number at this position, already parsed.
    public let value: Value
}

/// An error in a scenario: its position, and a sentence for the author.
public struct ScenarioProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The position.
    public let place: Place
    /// A sentence with what was expected and what was found.
    public let message: String

    /// An error at `place`.
    public init(_ place: Place, _ message: String) {
        self.place = place
        self.message = message
    }

    /// `line:column: message`.
    public var description: String { "\(place): \(message)" }
}
