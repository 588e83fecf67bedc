import UIKit

/// Prints what was heard, with the state and the background time at this instant; `more` is what else there is to say.
@MainActor func say(_ what: String, _ more: String = "") {
    let application = UIApplication.shared
    let remaining = application.backgroundTimeRemaining
    let time = remaining == .greatestFiniteMagnitude ? "unbounded" : String(format: "%.1f", remaining)
    print("\(what) state=\(application.applicationState) remaining=\(time)" + (more.isEmpty ? "" : " " + more))
}
