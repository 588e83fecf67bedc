/// The messages in a stream of bytes from the server, which may split and join them anywhere.
struct SIPStream {
    /// The longest message, in bytes.
    static let longest = 64 * 1024
    /// The longest start line, in bytes.
    private static let longestStart = 8 * 1024
    private static let (cr, lf) = (UInt8(ascii: "\r"), UInt8(ascii: "\n"))

    /// A message whose body is not complete.
    private struct Begun {
        var message: SIPMessage
        let length: Int
    }

    private var bytes: [UInt8] = []
    /// The index where the next message, or the body of the begun one, begins.
    private var first = 0
    /// The index where the search for the end of the head continues.
    private var next = 0
    private var isStartChecked = false
    private var begun: Begun?

    /// Appends bytes that have arrived.
    mutating func receive(_ new: some Collection<UInt8>) {
        bytes.removeSubrange(..<first)
        next -= first
        first = 0
        bytes += new
    }

    /// The next complete message; nil if it has not arrived completely.
    mutating func message() throws(Problem) -> SIPMessage? {
        if begun == nil {
            skipEmptyLines()
            guard let end = try headEnd() else { return nil }
            let head = String(decoding: bytes[first..<end], as: UTF8.self)
            let message = try SIPMessage(head: head)
            let length = try message.bodyLength(atMost: Self.longest - (end - first))
            begun = Begun(message: message, length: length)
            first = end
        }
        guard var begun, bytes.count - first >= begun.length else { return nil }
        begun.message.body = Array(bytes[first..<first + begun.length])
        first += begun.length
        (next, isStartChecked, self.begun) = (first, false, nil)
        return begun.message
    }

    /// Skips the answers to pings, and the empty lines that some peers send between messages.
    private mutating func skipEmptyLines() {
        while bytes[first...].starts(with: [Self.cr, Self.lf]) { first += 2 }
        next = max(next, first)
    }

    /// The index after the empty line that ends the head; nil if it has not arrived.
    private mutating func headEnd() throws(Problem) -> Int? {
        let isAlone = bytes.count - first == 1 && bytes[first] == Self.cr
        if first < bytes.count, !isAlone, !SIPMessage.isToken(bytes[first]) {
            throw Problem("the server does not speak SIP")
        }
        if !isStartChecked, let end = index(of: [Self.cr, Self.lf], from: next) {
            _ = try SIPMessage.start(of: String(decoding: bytes[first..<end], as: UTF8.self))
            isStartChecked = true
        }
        let emptyLine = [Self.cr, Self.lf, Self.cr, Self.lf]
        let end = index(of: emptyLine, from: next).map { $0 + emptyLine.count }
        // The last bytes may be the beginning of the empty line.
        next = max(first, bytes.count - emptyLine.count + 1)
        let length = (end ?? bytes.count) - first
        if !isStartChecked, length > Self.longestStart { throw Problem("the server does not speak SIP") }
        if length > Self.longest { throw Problem("the server sends too large a message") }
        return end
    }

    private func index(of pattern: [UInt8], from start: Int) -> Int? {
        guard bytes.count - start >= pattern.count else { return nil }
        return (start...bytes.count - pattern.count).first { bytes[$0...].starts(with: pattern) }
    }
}
