import LifeCycleModel

@testable import LifeCycleSimulation

extension SimulatedFetch: ConcernWithWays {
    static var words: [Word] { FetchRequest.words + FetchInput.words + FetchCall.words }
}

extension FetchRequest: HasWays {
    static let first = FetchRequest.setMinimumInterval(nil)

    var step: (way: Way, next: FetchRequest?) {
        switch self {
        case .setMinimumInterval: (.fetch(.askForFetches), nil)
        }
    }
}

extension FetchInput: HasWays {
    static let first = FetchInput.opportunityOffered(one)

    var step: (way: Way, next: FetchInput?) {
        switch self {
        case .opportunityOffered:
            (.none("Its step is an event of the device, which causes this one."), nil)
        }
    }
}

extension FetchCall: HasWays {
    static let first = FetchCall.performFetch

    var step: (way: Way, next: FetchCall?) {
        switch self {
        case .performFetch: (.fetch(.offerFetch), nil)
        }
    }
}
