import LifeCycleModel
import LifeCyclePolicy
import LifeCycleSimulation

/// The words for locations.
extension SimulatedLocation: VerbsOfConcern {
    static let ofApps = [
        AppVerb(word: "updatesLocation") { phrase throws(ScenarioProblem) in
            .updatesLocation(try isWanted(phrase) ? StandardUpdates() : nil)
        },
        AppVerb(word: "updatesLocationInBackground") { phrase throws(ScenarioProblem) in
            .updatesLocation(try isWanted(phrase) ? StandardUpdates(allowsBackground: true) : nil)
        },
        AppVerb(word: "requestsLocation") { _ in .requestsLocation },
        AppVerb(word: "hasBackgroundActivity") { phrase throws(ScenarioProblem) in
            .hasBackgroundActivity(try isWanted(phrase))
        },
        AppVerb(word: "monitorsChanges") { phrase throws(ScenarioProblem) in
            .monitorsChanges(try isWanted(phrase))
        },
        AppVerb(word: "monitorsRegion") { phrase throws(ScenarioProblem) in
            .monitorsRegion(try region(phrase.value))
        },
        AppVerb(word: "stopsRegion") { phrase throws(ScenarioProblem) in
            .stopsRegion(try phrase.value.text("the region's identifier"))
        },
    ]

    static let ofSteps = [
        StepVerb(word: "location") { phrase, _ throws(ScenarioProblem) in .move(try position(phrase.value)) },
        StepVerb(word: "permit", others: ["permission"]) { phrase, reader throws(ScenarioProblem) in
            let app = try reader.app(phrase.value)
            let words = LocationPermission.allCases.map(\.rawValue)
            guard let node = phrase["permission"] else {
                throw ScenarioProblem(phrase.place, "permit needs permission: \(words.joined(separator: ", "))")
            }
            let word = try node.choice(words, "the user's decision")
            return .user(.concern(.location(.permitted(app, LocationPermission(rawValue: word) ?? .ask))))
        },
    ]

    private static func isWanted(_ phrase: Phrase) throws(ScenarioProblem) -> Bool {
        phrase.value.content == .nothing ? true : try phrase.value.flag()
    }

    /// Reads an identifier, a latitude and a longitude in degrees, and a radius in meters, with spaces between them.
    private static func region(_ node: ScenarioNode) throws(ScenarioProblem) -> LocationRegion {
        let what = "an identifier, a latitude, a longitude and a radius in meters, such as home 52.52 13.405 200"
        let words = try node.text(what).split(separator: " ").map(String.init)
        guard words.count == 4, let radius = DecimalNumber.parse(words[3], digits: 2),
            let north = DecimalNumber.parse(words[1], digits: 7).flatMap({ Int32(exactly: $0) }),
            let east = DecimalNumber.parse(words[2], digits: 7).flatMap({ Int32(exactly: $0) }),
            let region = LocationRegion(identifier: words[0], latitude: north, longitude: east, radius: radius)
        else { throw node.problem(what) }
        return region
    }

    /// Reads a latitude and a longitude in degrees, with a space between them.
    private static func position(_ node: ScenarioNode) throws(ScenarioProblem) -> LocationFix {
        let what = "a latitude and a longitude in degrees, such as 52.52 13.405"
        let numbers = try node.text(what).split(separator: " ").map { DecimalNumber.parse(String($0), digits: 7) }
        guard numbers.count == 2, let north = numbers[0].flatMap({ Int32(exactly: $0) }),
            let east = numbers[1].flatMap({ Int32(exactly: $0) }),
            let fix = LocationFix(latitude: north, longitude: east, accuracy: 500, time: .zero)
        else { throw node.problem(what) }
        return fix
    }
}
