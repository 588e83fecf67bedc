import LifeCycleModel
import LifeCyclePolicy

@testable import LifeCycleSimulation

/// The app of all words.
let one = AppID(1)

/// The way of the exhaustive search to a word: steps of an alphabet, or a reason why there are none.
enum Way {
    case searchSteps(String, [SearchStep])
    case none(String)

    /// The steps of the life cycle with two apps.
    static func life(_ searchSteps: SearchStep...) -> Way { .searchSteps("life cycle", searchSteps) }
    /// The steps of concerns, after the app was opened and is active.
    static func fetch(_ searchSteps: ConcernStep...) -> Way {
        .searchSteps("fetch with notifications", active + searchSteps.map { .concern(one, $0) })
    }
    static func location(_ searchSteps: ConcernStep...) -> Way {
        .searchSteps("fetch with location", active + searchSteps.map { .concern(one, $0) })
    }
    static func audio(_ searchSteps: ConcernStep...) -> Way {
        .searchSteps("audio with fetch", active + searchSteps.map { .concern(one, $0) })
    }
    static func voip(_ searchSteps: ConcernStep...) -> Way {
        .searchSteps("fetch with voip", active + searchSteps.map { .concern(one, $0) })
    }
    static func sockets(_ searchSteps: ConcernStep...) -> Way {
        .searchSteps("fetch with sockets", active + searchSteps.map { .concern(one, $0) })
    }
    static func transfers(_ searchSteps: ConcernStep...) -> Way {
        .searchSteps("fetch with transfers", active + searchSteps.map { .concern(one, $0) })
    }

    static let active: [SearchStep] = [.open(one), .connect(one), .acknowledge(one), .acknowledge(one)]
    static let suspended: [SearchStep] = active + [.home, .acknowledge(one), .acknowledge(one), .freeze(one)]

    // Reasons that several words share.
    static let setting = Way.none("A setting only bars wakes; Low Power Mode stands for all of them.")
    static let random = Way.none("It brings no new order of events for its price; random histories have it.")
    static let report = Way.none("It changes only numbers that are shown; random histories have it.")
    static let other = Way.none("It holds a word of its own.")
}

/// A kind of event or callback, and the way to it.
struct Word: Hashable, Sendable, CustomStringConvertible {
    let description: String
    let way: Way

    static func == (left: Self, right: Self) -> Bool { left.description == right.description }
    func hash(into hasher: inout Hasher) { hasher.combine(description) }

    static let all =
        Event.words + DeviceEvent.words + ProcessEvent.words + AppRequest.words + Callback.words
        + SimulatedConcerns.all.compactMap { $0 as? any ConcernWithWays.Type }.flatMap { $0.words }

    /// The innermost word in an event or a callback, because enumerations of words hold other words.
    static func `in`(_ value: Any) -> Word? {
        for child in Mirror(reflecting: value).children {
            if let word = Word.in(child.value) { return word }
        }
        return (value as? any HasWays)?.word
    }
}

/// A concern, with its words.
protocol ConcernWithWays {
    static var words: [Word] { get }
}

/// A type whose cases are words.
protocol HasWays {
    static var first: Self { get }
    /// The way to this case, and a value of the next case. A new case does not compile until it has a way.
    var step: (way: Way, next: Self?) { get }
}

extension HasWays {
    static var words: [Word] { everyKind(from: first) { ([$0], next: $0.step.next) }.map(\.word) }

    var word: Word {
        let kind = Mirror(reflecting: self).children.first?.label ?? "\(self)"
        return Word(description: "\(Self.self).\(kind)", way: step.way)
    }
}
