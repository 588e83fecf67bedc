/// The edges of a table in the page's encoding. Most acts change nothing in most states, so a row has few characters.
///
/// An edge is the number of its run, in two digits of base 64. If the act leads to another state, the first digit is
/// larger by 32, and the number of that state follows in two digits.
extension PlayTable {
    /// The digits, which the page's script also gets.
    static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    private static let base = 64
    private static let most = (states: base * base, runs: base / 2 * base)

    /// A row for each state. Throws if there are more states or runs than two digits can number.
    var packed: [String] {
        get throws(Failure) {
            guard facts.count <= Self.most.states, runs.count <= Self.most.runs else {
                throw Failure(description: "\(facts.count) states and \(runs.count) runs are too many for a page")
            }
            return edges.enumerated().map { place, row in
                row.map { edge in
                    let isStill = edge.next == place
                    return Self.digits(of: edge.run, more: isStill ? 0 : Self.base / 2)
                        + (isStill ? "" : Self.digits(of: edge.next))
                }.joined()
            }
        }
    }

    private static func digits(of number: Int, more: Int = 0) -> String {
        String([digits[number / base + more], digits[number % base]])
    }
}
