internal import CRoost

/// Dates in HTTP fields.
enum HTTPDate {
    /// Seconds since 1970, from any of the three formats that HTTP requires; nil for anything else.
    static func seconds(_ text: String) -> Int64? {
        var seconds: Int64 = 0
        return croost_http_date(text, &seconds) == 0 ? seconds : nil
    }
}
