/// Why a journal cannot be read, and where.
public struct JournalProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line, from 1.
    public let line: Int
    /// The column, from 1, in Unicode scalars.
    public let column: Int
    /// What is wrong there, and what was expected.
    public let message: String

    /// A problem at this place.
    public init(line: Int, column: Int, _ message: String) {
        self.line = line
        self.column = column
        self.message = message
    }

    /// The place, and what is wrong there.
    public var description: String { "\(line):\(column): error: \(message)" }
}
