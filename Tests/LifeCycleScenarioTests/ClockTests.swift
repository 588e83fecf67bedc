import LifeCycleModel
import LifeCycleText
import Testing

@testable import LifeCycleScenario

@Suite struct ClockTests {
    @Test(arguments: [
        (0, "0:00.000"), (5_000_000_000, "0:05.000"), (62_500_000_000, "1:02.500"), (3_600_000_000_000, "1:00:00.000"),
        (90_061_000_000_001, "25:01:01.000000001"), (1_000_000, "0:00.001"), (1_500, "0:00.0000015"),
    ])
    func shows(count: Int64, text: String) {
        #expect(ClockText.text(Nanoseconds(count)) == text)
    }
}
