import UIKit

/// Prints an event with the current state and background time; `more` is additional text.
@MainActor func say(_ what: String, _ more: String = "") {
    let application = UIApplication.shared
    let remaining = application.backgroundTimeRemaining
    let time = remaining == .greatestFiniteMagnitude ? "unbounded" : String(format: "%.1f", remaining)
    print("\(what) state=\(application.applicationState) remaining=\(time)" + (more.isEmpty ? "" : " " + more))
}
