/// A reason why a journal cannot be read, with its position.
public struct JournalProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// From 1.
    public let line: Int
    /// The column, from 1, in Unicode scalars.
    public let column: Int
    /// The problem at that position, and what was expected.
    public let message: String

    /// A problem at this position.
    public init(line: Int, column: Int, _ message: String) {
        self.line = line
        self.column = column
        self.message = message
    }

    /// The position and the problem.
    public var description: String { "\(line):\(column): error: \(message)" }
}
