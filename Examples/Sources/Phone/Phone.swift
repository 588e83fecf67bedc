import CallKit
import Foundation

/// The telephone: it connects the line's calls with CallKit.
@MainActor
final class Phone: NSObject, CXProviderDelegate {
    /// The time for the user to answer, in seconds.
    private static let ringing: TimeInterval = 180
    /// The time for the caller to confirm the answer, in seconds.
    private static let confirmation: TimeInterval = 32

    let line: Line
    private let provider: CXProvider
    /// The user's answer, until the caller has confirmed it.
    private var answer: CXAnswerCallAction?
    private var limit: DispatchWorkItem?

    /// Whether a call is on.
    private(set) var isConnected = false

    init(documents: URL) {
        let configuration = CXProviderConfiguration()
        configuration.maximumCallGroups = 1
        configuration.maximumCallsPerCallGroup = 1
        configuration.supportedHandleTypes = [.generic]
        provider = CXProvider(configuration: configuration)
        line = Line(documents: documents)
        super.init()
        provider.setDelegate(self, queue: nil)
        line.perform = { [weak self] in self?.perform($0) }
    }

    private func perform(_ effect: SIPAgent.Effect) {
        switch effect {
        case .ring(let id, let caller): ring(id, caller)
        case .connected:
            print("connected")
            isConnected = true
            limit?.cancel()
            answer?.fulfill()
            answer = nil
        case .over(let id, let end):
            print("the call is over: \(end)")
            finish()
            provider.reportCall(with: id, endedAt: nil, reason: Self.reason(end))
            answer?.fail()
            answer = nil
        case .send, .registered, .notRegistered: break
        }
    }

    private func ring(_ id: UUID, _ caller: String) {
        print("\(caller) calls")
        let update = CXCallUpdate()
        update.remoteHandle = CXHandle(type: .generic, value: caller)
        update.localizedCallerName = caller
        provider.reportNewIncomingCall(with: id, update: update) { [weak self] error in
            guard let error else { return }
            print("no call: \(error.localizedDescription)")
            self?.finish()
            self?.line.change { $0.reject(id, into: &$1) }
        }
        after(Self.ringing, for: id)
    }

    private func after(_ seconds: TimeInterval, for id: UUID) {
        limit?.cancel()
        let limit = DispatchWorkItem { [weak self] in self?.line.change { $0.timeOut(id, into: &$1) } }
        DispatchQueue.main.asyncAfter(deadline: .now() + seconds, execute: limit)
        self.limit = limit
    }

    private func finish() {
        limit?.cancel()
        limit = nil
        isConnected = false
    }

    private static func reason(_ end: SIPAgent.End) -> CXCallEndedReason {
        switch end {
        case .remote: .remoteEnded
        case .unanswered: .unanswered
        case .failed: .failed
        }
    }

    // MARK: The user

    func providerDidReset(_ provider: CXProvider) {}

    func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) {
        let isAnswered = line.change { $0.answer(action.callUUID, into: &$1) } ?? false
        guard isAnswered else { return action.fail() }
        print("answered")
        answer = action
        after(Self.confirmation, for: action.callUUID)
    }

    func provider(_ provider: CXProvider, perform action: CXEndCallAction) {
        print("ended")
        hangUp(action)
        action.fulfill()
    }

    func provider(_ provider: CXProvider, timedOutPerforming action: CXAction) {
        if let action = action as? CXCallAction { hangUp(action) }
    }

    private func hangUp(_ action: CXCallAction) {
        finish()
        answer = nil
        line.change { $0.hangUp(action.callUUID, into: &$1) }
    }
}
