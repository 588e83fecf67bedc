/// The place in a test's source at which a failure is shown.
struct SourcePlace: Hashable, Sendable {
    let fileID: String
    let filePath: String
    let line: Int
    let column: Int

    init(_ fileID: StaticString, _ filePath: StaticString, _ line: UInt, _ column: UInt) {
        self.fileID = "\(fileID)"
        self.filePath = "\(filePath)"
        self.line = Int(line)
        self.column = Int(column)
    }
}
