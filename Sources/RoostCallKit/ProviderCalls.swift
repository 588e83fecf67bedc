import AppCore
import Foundation
import LifeCycleModel
import RoostKit
import Synchronization

/// The call providers of an app, and its reports that are not answered.
final class ProviderCalls: ConcernListener {
    typealias Completion = @MainActor @Sendable ((any Error)?) -> Void

    private struct Entry {
        weak var provider: CXProvider?
    }

    private struct State {
        var providers: [CallProviderID: Entry] = [:]  // ordered: looked up only
        var completions: [CallReportID: Completion] = [:]  // ordered: looked up only
        var lastReport: Int64 = 0
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

    func deliver(from app: AppSession) {
        // A delegate may cause further calls, which come later: other code of the app runs in between.
        for _ in 0..<app.readingVoIP(\.callDeliveryCount) {
            guard let delivery = app.nextDelivery({ $0.nextCallDelivery() }) else { return }
            switch delivery {
            case .reported(let report, let failure):
                let completion = state.withLock { $0.completions.removeValue(forKey: report) }
                completion?(failure.map { CXErrorCodeIncomingCallError(failure: $0) })
            case .perform(let action, let call, let id): provider(id)?.perform(action, call)
            case .timedOut(let action, let call, let id): provider(id)?.timedOut(action, call)
            case .audio(let isActive, let id): provider(id)?.audioChanged(isActive: isActive)
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
