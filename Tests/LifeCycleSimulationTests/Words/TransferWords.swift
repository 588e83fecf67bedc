import LifeCycleModel

@testable import LifeCycleSimulation

private let transfer = TransferID(session: TransferSessionID(app: one, number: 1), number: 1)
private let url = "http://one.example.org/file"
private let download: [SearchStep] = [.concern(one, .openSession), .concern(one, .download)]
/// A session whose tasks all end while its app is suspended.
private let wokenForSession: [SearchStep] =
    Way.active + download + [.home, .acknowledge(one), .acknowledge(one), .freeze(one), .concern(one, .arrive)]

extension SimulatedTransfers: ConcernWithWays {
    static var words: [Word] { TransferAct.words + TransferReport.words + TransferInput.words + TransferCall.words }
}

extension TransferAct: HasWays {
    static let first = TransferAct.open(TransferSessionConfiguration())

    var step: (way: Way, next: TransferAct?) {
        switch self {
        case .open:
            (.transfers(.openSession), .make(NewTransfer(number: 1, request: TransferRequest(url: url))))
        case .make: (.transfers(.openSession, .download), .resume(1))
        case .resume: (.transfers(.openSession, .download), .acknowledge([1]))
        case .acknowledge: (.transfers(.openSession, .download, .arrive, .take), .handled)
        case .handled: (.searchSteps("fetch with transfers", wokenForSession + [.concern(one, .handled)]), .suspend(1))
        case .suspend: (.random, .cancel(1, keepsPartial: false))
        case .cancel: (.random, .setEarliestBegin(1, nil))
        case .setEarliestBegin: (.random, .proceed(1, .cancel))
        case .proceed: (.random, .finishTasksAndInvalidate)
        case .finishTasksAndInvalidate: (.random, .invalidateAndCancel)
        case .invalidateAndCancel: (.random, .setPriority(1, 0))
        case .setPriority: (.report, .setText(1, nil))
        case .setText: (.report, .setExpectedToReceive(1, nil))
        case .setExpectedToReceive: (.report, .list(after: 0))
        case .list: (.report, nil)
        }
    }
}

extension TransferReport: HasWays {
    static let first = TransferReport.moved(transfer, errno: nil)

    var step: (way: Way, next: TransferReport?) {
        switch self {
        case .moved:
            (
                .transfers(.openSession, .download, .arrive),
                .completed(transfer, attempt: 1, TransferResponse(url: url, status: 200, fields: []), size: 1)
            )
        case .completed:
            (
                .transfers(.openSession, .download, .arrive),
                .failed(transfer, attempt: 1, TransferProblem(code: -1, reason: "", isRetryable: true))
            )
        case .failed: (.transfers(.openSession, .download, .fail), .stopped(transfer, attempt: 1, nil))
        case .stopped:
            (
                .searchSteps("fetch with transfers", Way.active + download + [.quit(one)]),
                .responded(transfer, attempt: 1, offset: 0, expected: nil)
            )
        case .responded: (.report, .progressed(transfer, attempt: 1, received: 0, expected: nil))
        case .progressed:
            (
                .report,
                .checkpointed(
                    transfer, attempt: 1, TransferCheckpoint(received: 0, expected: nil, validator: nil, boot: ""))
            )
        case .checkpointed: (.report, nil)
        }
    }
}

extension TransferInput: HasWays {
    static let first = TransferInput.userAction(transfer, .now)

    var step: (way: Way, next: TransferInput?) {
        switch self {
        case .userAction: (.random, nil)
        case .reported: (.other, nil)
        }
    }
}

extension TransferCall: HasWays {
    static let first = TransferCall.handleEvents(.newsstand)

    var step: (way: Way, next: TransferCall?) {
        switch self {
        case .handleEvents: (.searchSteps("fetch with transfers", wokenForSession), nil)
        }
    }
}
