/// Where something stands in a file: line and column, both from 1, the column in Unicode scalars.
public struct Place: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The line.
    public let line: Int
    /// The column.
    public let column: Int

    /// The `column`th scalar of the `line`th line.
    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// Where every file begins.
    public static let start = Place(line: 1, column: 1)

    /// In the order of reading.
    public static func < (left: Self, right: Self) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }

    /// `line:column`.
    public var description: String { "\(line):\(column)" }
}

/// A value, and where it is written.
public struct Placed<Value: Hashable & Sendable>: Hashable, Sendable {
    /// Where.
    public let place: Place
    /// What.
    public let value: Value
}

/// What is wrong with a scenario: where, and in a sentence for the person who wrote it.
public struct ScenarioProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// Where.
    public let place: Place
    /// What was expected there, and what was.
    public let message: String

    /// A problem at `place`.
    public init(_ place: Place, _ message: String) {
        self.place = place
        self.message = message
    }

    /// `line:column: message`.
    public var description: String { "\(place): \(message)" }
}
