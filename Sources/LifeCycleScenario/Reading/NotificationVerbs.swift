import LifeCycleModel
import LifeCyclePolicy
import LifeCycleSimulation

/// The words for local and remote notifications.
extension SimulatedNotifications: VerbsOfConcern {
    static let ofApps = [
        AppVerb(word: "registersNotifications") { phrase throws(ScenarioProblem) in
            try phrase.wantsNothing()
            return .registersNotifications
        },
        AppVerb(word: "registers") { phrase throws(ScenarioProblem) in
            .registers(phrase.value.content == .nothing ? true : try phrase.value.flag())
        },
        AppVerb(word: "schedules", others: ["after", "every"], read: schedules),
    ]

    static let ofSteps = [
        StepVerb(word: "push", others: ["contentAvailable", "alert"], read: push),
        StepVerb(word: "tap") { phrase, reader throws(ScenarioProblem) in
            .answer(try reader.app(phrase.value), .tapped)
        },
        StepVerb(word: "clear") { phrase, reader throws(ScenarioProblem) in
            .answer(try reader.app(phrase.value), .dismissed)
        },
    ]

    @Sendable private static func schedules(_ phrase: Phrase) throws(ScenarioProblem) -> AppScript.Act {
        let text = try phrase.value.text("the text of the notification")
        guard !text.isEmpty, text.utf8.count <= 200 else {
            throw phrase.value.problem("the text of the notification, of 1 to 200 bytes")
        }
        let interval = try phrase["every"].map { node throws(ScenarioProblem) in
            try node.choice(RepeatInterval.allCases.map(\.rawValue), "the interval of its repetition")
        }
        return .schedules(
            text, after: try phrase["after"].map { node throws(ScenarioProblem) in try node.time() },
            every: interval.flatMap { RepeatInterval(rawValue: $0) })
    }

    /// A silent push, unless other words follow.
    @Sendable private static func push(
        _ phrase: Phrase, _ reader: ScenarioReader
    ) throws(ScenarioProblem) -> ScenarioStep.Act {
        let isContentAvailable = try phrase["contentAvailable"]?.flag() ?? true
        let isVisible = try phrase["alert"]?.flag() ?? false
        let keys = (isContentAvailable ? ["\"content-available\":1"] : []) + (isVisible ? ["\"alert\":\"news\""] : [])
        var alert = LocalNotification()
        alert.alertBody = "news"
        let notification = RemoteNotification(
            payload: "{\"aps\":{\(keys.joined(separator: ","))}}", isContentAvailable: isContentAvailable,
            presentation: isVisible ? RemoteNotification.Presentation(alert) : nil)
        return .device(.concern(.notification(.pushArrived(try reader.app(phrase.value), notification))))
    }
}
