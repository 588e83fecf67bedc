import UIKit

/// Prints an event with the scene's and the application's current state and the background time; `more` is additional
/// text.
@MainActor func say(_ what: String, _ more: String = "") {
    let application = UIApplication.shared
    let scene = application.connectedScenes.first.map { "\($0.activationState)" } ?? "none"
    let remaining = application.backgroundTimeRemaining
    let time = remaining == .greatestFiniteMagnitude ? "unbounded" : String(format: "%.1f", remaining)
    print(
        "\(what) scene=\(scene) state=\(application.applicationState) remaining=\(time)"
            + (more.isEmpty ? "" : " " + more))
}
