import AppCore
import Foundation
import LifeCycleModel
import RoostKit
import Synchronization

/// The call providers and the observers of an app, and its reports and transactions that are not answered.
final class ProviderCalls: ConcernListener {
    typealias Completion = @MainActor @Sendable ((any Error)?) -> Void

    private struct Entry {
        weak var provider: CXProvider?
    }

    private struct Watch {
        weak var observer: CXCallObserver?
    }

    /// An action that the app has asked for, and that no delegate has received.
    private struct Asked {
        let action: CXAction
        let request: CallRequest
        let transaction: CallTransactionID
    }

    private struct State {
        var providers: [CallProviderID: Entry] = [:]  // ordered: looked up only
        var observers: [Watch] = []
        var completions: [CallReportID: Completion] = [:]  // ordered: looked up only
        var lastReport: Int64 = 0
        var transactions: [CallTransactionID: Completion] = [:]  // ordered: looked up only
        var lastTransaction: Int64 = 0
        var asked: [Asked] = []
    }

    private let state = Mutex(State())

    static func of(_ app: AppSession) -> ProviderCalls {
        guard let calls = app.listener(of: .calls, orMake: { ProviderCalls() }) as? ProviderCalls else {
            preconditionFailure("only this module makes an app's listener for calls")
        }
        return calls
    }

    /// The provider is not kept alive. Any thread.
    func add(_ provider: CXProvider, _ id: CallProviderID) {
        state.withLock { state in
            state.providers = state.providers.filter { $0.value.provider != nil }
            state.providers[id] = Entry(provider: provider)
        }
    }

    /// The number of a report whose answer goes to the completion. Any thread.
    func remember(_ completion: @escaping Completion) -> CallReportID {
        state.withLock { state in
            state.lastReport += 1
            let report = CallReportID(state.lastReport)
            state.completions[report] = completion
            return report
        }
    }

    /// The observer is not kept alive. Any thread.
    func add(_ observer: CXCallObserver) {
        state.withLock { state in
            state.observers.removeAll { $0.observer == nil || $0.observer === observer }
            state.observers.append(Watch(observer: observer))
        }
    }

    /// The number of a transaction whose answer goes to the completion. Any thread.
    func remember(
        _ actions: [(action: CXAction, request: CallRequest)], _ completion: @escaping Completion,
        of app: AppSession
    ) -> CallTransactionID {
        let answered = state.withLock { state in
            state.asked.map(\.transaction).filter { state.transactions[$0] == nil }
        }
        let known = app.readingVoIP(\.callSnapshots).map(\.id)
        return state.withLock { state in
            // An accepted action is not performed if its call has ended before.
            state.asked.removeAll { answered.contains($0.transaction) && !known.contains($0.request.call) }
            state.lastTransaction += 1
            let id = CallTransactionID(state.lastTransaction)
            state.transactions[id] = completion
            state.asked += actions.map { Asked(action: $0.action, request: $0.request, transaction: id) }
            return id
        }
    }

    /// The action by which the app has asked for one that it performs now; nil if the user has asked for it.
    func takeAction(_ kind: CallAction, _ call: CallID) -> CXAction? {
        state.withLock { state in
            let index = state.asked.firstIndex { $0.request.action == kind && $0.request.call == call }
            return index.map { state.asked.remove(at: $0).action }
        }
    }

    private func answered(_ id: CallTransactionID, _ failure: CallTransactionFailure?) -> Completion? {
        state.withLock { state in
            if failure != nil { state.asked.removeAll { $0.transaction == id } }
            return state.transactions.removeValue(forKey: id)
        }
    }

    func deliver(from app: AppSession) {
        // A delegate may cause further calls, which come later: other code of the app runs in between.
        for _ in 0..<app.readingVoIP(\.callDeliveryCount) {
            guard let delivery = app.nextDelivery({ $0.nextCallDelivery() }) else { return }
            switch delivery {
            case .reported(let report, let failure):
                let completion = state.withLock { $0.completions.removeValue(forKey: report) }
                completion?(failure.map { CXErrorCodeIncomingCallError(failure: $0) })
            case .transacted(let id, let failure):
                answered(id, failure)?(failure.map { CXErrorCodeRequestTransactionError(failure: $0) })
            case .perform(let action, let call, let id): provider(id)?.perform(action, call)
            case .timedOut(let action, let call, let id): provider(id)?.timedOut(action, call)
            case .audio(let isActive, let id): provider(id)?.audioChanged(isActive: isActive)
            case .changed(let call):
                for watch in state.withLock({ $0.observers }) { watch.observer?.changed(CXCall(call)) }
            }
        }
    }

    private func provider(_ id: CallProviderID) -> CXProvider? { state.withLock { $0.providers[id]?.provider } }
}

extension UUID {
    var callID: CallID {
        guard let id = CallID(uuidString) else { preconditionFailure("the text of a UUID names a call") }
        return id
    }
}

extension CallID {
    var uuid: UUID {
        guard let uuid = UUID(uuidString: description) else { preconditionFailure("a call's name is a UUID") }
        return uuid
    }
}
