import LifeCycleModel

@testable import LifeCycleSimulation

/// The app is suspended after these steps.
private func suspended(_ searchSteps: ConcernStep...) -> [SearchStep] {
    Way.active + searchSteps.map { .concern(one, $0) } + [.home, .acknowledge(one), .acknowledge(one), .freeze(one)]
}

extension SimulatedSockets: ConcernWithWays {
    static var words: [Word] { SocketRequest.words + SocketInput.words + SocketCall.words }
}

extension SocketRequest: HasWays {
    static let first = SocketRequest.keep(KeptSocket(id: .sample, descriptor: 5))

    var step: (way: Way, next: SocketRequest?) {
        switch self {
        case .keep: (.sockets(.keepSocket), .drop(.sample))
        case .drop: (.sockets(.keepSocket, .dropSocket), .setKeepAlive(nil))
        case .setKeepAlive: (.sockets(.setKeepAlive, .clearKeepAlive), nil)
        }
    }
}

extension SocketInput: HasWays {
    static let first = SocketInput.taken(.sample, .sample, nil)

    var step: (way: Way, next: SocketInput?) {
        switch self {
        case .taken: (.sockets(.keepSocket), .readable(.sample, .sample, isOver: false))
        case .readable:
            (.searchSteps("fetch with sockets", suspended(.keepSocket) + [.concern(one, .receiveData)]), nil)
        }
    }
}

extension SocketCall: HasWays {
    static let first = SocketCall.keepAlive

    var step: (way: Way, next: SocketCall?) {
        switch self {
        case .keepAlive: (.searchSteps("fetch with sockets", suspended(.setKeepAlive) + [.deadline]), nil)
        }
    }
}
