import LifeCycleModel
import LifeCyclePolicy

extension TransferOutput: TestedWork {
    func perform(by body: Body) {
        switch self {
        case .begin(let id, let attempt):
            // By now, the brain may want another attempt or no attempt.
            guard let order = body.device.transferJob(of: id), order.attempt == attempt else { break }
            body.take(body.transfers.begin(order, at: body.now.awake))
        case .stop(let id): body.take(body.transfers.stop(id, at: body.now.awake))
        case .move(let id):
            guard let container = body.observer?.container(of: id.session.app),
                let url = body.device.transferSnapshot(of: id)?.record.request.url
            else { break }
            body.take(body.transfers.move(id, from: url, below: container))
        case .discard(let id):
            body.transfers.discard(id, below: body.observer?.container(of: id.session.app))
        }
    }
}

extension Body {
    func take(_ turn: DeviceTransfers.Turn) {
        for report in turn.reports { enqueue(.concern(.transfer(.reported(report)))) }
        if let (id, attempt, span) = turn.continuesIn { plan(.transfer(id, attempt: attempt), in: span) }
    }
}
