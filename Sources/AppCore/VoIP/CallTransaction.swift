import LifeCycleModel

/// A transaction that the system has not answered.
struct CallTransaction: Hashable {
    let id: CallTransactionID
    /// The number of the transaction in its launch, by which the system answers.
    let number: Int64
    let requests: [CallRequest]
    /// The provider of the calls that the transaction starts.
    let provider: CallProviderID
    /// Whether the system has accepted the transaction.
    var isAccepted = false
    /// Whether the transaction was sent again after a restart of the system, which may have accepted it before.
    var isRepeated = false

    /// The calls that the transaction starts.
    var starts: [CallID] { requests.filter { $0.action == .start }.map(\.call) }
}

/// Transactions: the actions that the app asks for.
extension CallMirror {
    /// Asks for actions. The answer is a delivery.
    mutating func transact(_ requests: [CallRequest], as id: CallTransactionID, into steps: inout [Step]) {
        func refuse(_ failure: CallTransactionFailure) { deliveries.append(.transacted(id, failure)) }
        if requests.isEmpty { return refuse(.emptyTransaction) }
        guard let provider = providers.last else { return refuse(.unknownCallProvider) }
        if requests.count > VoIPRequest.mostActions { return refuse(.system(.invalidAction)) }
        lastTransaction += 1
        let transaction = CallTransaction(id: id, number: lastTransaction, requests: requests, provider: provider)
        // The system may have ended the call, and the app does not know that yet.
        if transaction.starts.contains(where: { index(of: $0) != nil }) {
            return refuse(.system(.callUUIDAlreadyExists))
        }
        transactions.append(transaction)
        send(.transact(transaction.number, requests), into: &steps)
    }

    /// Whether a transaction without an answer starts a call with this UUID.
    func isAboutToStart(_ id: CallID) -> Bool { transactions.contains { $0.starts.contains(id) } }

    /// The system has answered a transaction.
    mutating func answered(_ number: Int64, _ failure: TransactionFailure?, into steps: inout [Step]) {
        guard let index = transactions.firstIndex(where: { $0.number == number }) else { return }
        let transaction = transactions[index]
        let wasAcceptedBefore =
            transaction.isRepeated && (transaction.isAccepted || failure == .callUUIDAlreadyExists)
        if let failure, !wasAcceptedBefore {
            deliveries.append(.transacted(transaction.id, .system(failure)))
        } else {
            accept(index, into: &steps)
            deliveries.append(.transacted(transaction.id, nil))
        }
        transactions.remove(at: index)
    }

    /// The system lets the app start a call: it has accepted the transaction, and the answer comes later or is lost.
    mutating func learnStart(of id: CallID, into steps: inout [Step]) {
        if let index = transactions.firstIndex(where: { $0.starts.contains(id) }) { accept(index, into: &steps) }
    }

    /// The calls that an accepted transaction starts are known from now on.
    private mutating func accept(_ index: Int, into steps: inout [Step]) {
        if transactions[index].isAccepted { return }
        transactions[index].isAccepted = true
        let provider = transactions[index].provider
        for case .start(let id, let update) in transactions[index].requests where self.index(of: id) == nil {
            add(KnownCall(outgoing: id, by: provider, update))
            if !providers.contains(provider) { end(id, .failed, into: &steps) }
        }
    }

    /// Repeats the transactions that the system may have missed.
    mutating func sendTransactionsAgain(into steps: inout [Step]) {
        for transaction in transactions where transaction.isAccepted {
            deliveries.append(.transacted(transaction.id, nil))
        }
        transactions.removeAll(where: \.isAccepted)
        for index in transactions.indices {
            transactions[index].isRepeated = true
            send(.transact(transactions[index].number, transactions[index].requests), into: &steps)
        }
    }
}
