/// The edges of a table as the page holds them: most acts lead nowhere in most states, so that a row is a few letters.
///
/// An edge is the number of its run in two digits of 64, the first with 32 more where the act leads to another state: then the
/// number of that follows, in two digits.
extension PlayTable {
    /// The digits, which the page's script is given as well.
    static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    private static let base = 64
    private static let most = (states: base * base, runs: base / 2 * base)

    /// A row for each state. Throws where there is more than two digits can tell.
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
