internal import CRoost

/// Dates as HTTP's fields have them.
enum HTTPDate {
    /// Seconds since 1970 in any of the three forms that a recipient has to know; nil for anything else.
    static func seconds(_ text: String) -> Int64? {
        var seconds: Int64 = 0
        return croost_http_date(text, &seconds) == 0 ? seconds : nil
    }
}
