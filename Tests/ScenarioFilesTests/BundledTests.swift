import Foundation
import LifeCycleModel
import LifeCycleScenario
import ScenarioFiles
import Testing

/// The scenarios that come with Roost. Each is a test.
@Suite struct BundledTests {
    @Test(arguments: Repository.scenarios)
    func isAsExpected(name: String) throws {
        let scenario = try ScenarioFile.scenario(from: Repository.bytes("Scenarios/\(name)"))
        let outcome = ScenarioRun(scenario).run()
        let report = outcome.problems.map { "\n\(name):\($0)" }.joined()
        #expect(outcome.problems.isEmpty, "\(report)")
        #expect(outcome.met > 0, "the scenario has no expectations")
        #expect(!scenario.title.isEmpty && !scenario.about.isEmpty && !scenario.shows.isEmpty)
    }
}
