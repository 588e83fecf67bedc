import UIKit

/// Prints what was heard, with the scene's state, the application's, and the background time at this instant; `more`
/// is what else there is to say.
@MainActor func say(_ what: String, _ more: String = "") {
    let application = UIApplication.shared
    let scene = application.connectedScenes.first.map { "\($0.activationState)" } ?? "none"
    let remaining = application.backgroundTimeRemaining
    let time = remaining == .greatestFiniteMagnitude ? "unbounded" : String(format: "%.1f", remaining)
    print(
        "\(what) scene=\(scene) state=\(application.applicationState) remaining=\(time)"
            + (more.isEmpty ? "" : " " + more))
}
