import LifeCycleModel
import RoostWire
import Testing

extension TestSystem {
    /// Runs `body` with Counter in the foreground, while another app works in the background. Checks that the other app
    /// works throughout, undisturbed.
    static func runWithBystander(
        script: String = "", settings: [String] = [], mayReportErrors: Bool = false, adding more: [String] = [],
        _ body: (TestSystem) throws -> Void
    ) throws {
        // The background time has to last for any test.
        try run(settings: ["backgroundTime=600s"] + settings, mayReportErrors: mayReportErrors, adding: more) {
            system in
            try system.install("Counter", as: .second, script: "didEnterBackground begin work\n")
            try system.launch(.second)
            try system.install("Counter", script: script)
            try system.tell(.launch(.counter))
            try system.untilPrinted(.second, "notification didEnterBackground")
            try system.until("the other app runs its task") {
                let second = try system.summary(.second)
                return second.state == .background && second.openTasks.map(\.name) == ["work"] ? true : nil
            }
            let (pid, received) = (try system.pid(.second), system.received(.second))
            try body(system)
            try system.untilCounted(.second, more: 2)
            let second = try system.summary(.second)
            #expect(second.pid == pid && second.state == .background)
            #expect(second.openTasks.map(\.name) == ["work"])
            #expect(system.received(.second) == received)
            #expect(!system.log(.second).contains { $0.hasPrefix("Roost:") }, "its connections were not lost")
        }
    }
}
