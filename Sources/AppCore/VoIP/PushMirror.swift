import LifeCycleModel

/// The app's side of VoIP pushes: the registries that want them, and the pushes that the app handles.
struct PushMirror: AppConcern {
    private struct Registry: Hashable {
        let id: PushRegistryID
        /// Whether the registry was told the present token since it asked.
        var isTold = false
    }

    /// A push that the app was called for.
    private struct OpenPush: Hashable {
        let id: VoIPPushID
        /// The system's number of the push.
        let number: Int64
        var hasReturned = false
        var isCompleted = false
    }

    private enum Entry: Hashable {
        case token(PushRegistryID)
        case push(VoIPPushID, payload: String)
    }

    /// The registries that want VoIP pushes, in the order in which they asked.
    private var registries: [Registry] = []
    private var lastRegistry: Int64 = 0
    /// The app's last request in this launch; nil if there was none.
    private var isWanted: Bool?
    /// The token of the registered app, as the system last told it.
    private var current: DeviceToken?
    /// The pushes whose end the system has not been told, oldest first.
    private var pushes: [OpenPush] = []
    private var lastPush: Int64 = 0
    /// The calls that the registries have to make, oldest first.
    private var queue: [Entry] = []

    mutating func handle(_ happening: AppHappening, into steps: inout [Step]) {
        switch happening {
        case .called(.voip(.tokenUpdated(let token)), _): learn(token)
        case .called(.voip(.push(let push)), _): began(push)
        case .connectedAgain: if let isWanted { send(.setRegistered(isWanted), into: &steps) }
        case .called, .received: break
        }
    }

    private func send(_ request: VoIPRequest, into steps: inout [Step]) {
        steps.append(.send(.concern(.voip(request))))
    }

    // MARK: Registries

    mutating func addRegistry() -> PushRegistryID {
        lastRegistry += 1
        return PushRegistryID(rawValue: lastRegistry)
    }

    /// The app stays registered, because its next registry gets the same token.
    mutating func removeRegistry(_ id: PushRegistryID) { registries.removeAll { $0.id == id } }

    /// A registry asks for VoIP pushes each time it is told its types, and gets the token each time.
    mutating func setWanted(_ isWanted: Bool, by id: PushRegistryID, into steps: inout [Step]) {
        registries.removeAll { $0.id == id }
        if isWanted { registries.append(Registry(id: id)) }
        guard isWanted || registries.isEmpty else { return }
        if !isWanted { current = nil }
        self.isWanted = isWanted
        send(.setRegistered(isWanted), into: &steps)
    }

    /// The token of a registry that wants VoIP pushes; nil if it has none yet.
    func token(of id: PushRegistryID) -> DeviceToken? { registries.contains { $0.id == id } ? current : nil }

    /// The system tells the same token after each request, also after those that are repeated.
    private mutating func learn(_ token: DeviceToken) {
        guard !registries.isEmpty else { return }
        let isNew = token != current
        current = token
        for index in registries.indices where isNew || !registries[index].isTold {
            registries[index].isTold = true
            queue.append(.token(registries[index].id))
        }
    }

    // MARK: Pushes

    private mutating func began(_ push: VoIPPush) {
        // The system has dropped the oldest ones by now.
        if pushes.count >= VoIPPush.mostWaiting { pushes.removeFirst() }
        lastPush += 1
        let id = VoIPPushID(rawValue: lastPush)
        pushes.append(OpenPush(id: id, number: push.number))
        queue.append(.push(id, payload: push.payload))
    }

    mutating func returned(from id: VoIPPushID, into steps: inout [Step]) {
        guard let index = index(of: id), !pushes[index].hasReturned else { return }
        pushes[index].hasReturned = true
        send(.returned(pushes[index].number), into: &steps)
        finish(index)
    }

    mutating func completed(_ id: VoIPPushID, into steps: inout [Step]) {
        guard let index = index(of: id), !pushes[index].isCompleted else { return }
        pushes[index].isCompleted = true
        send(.completed(pushes[index].number), into: &steps)
        finish(index)
    }

    private mutating func finish(_ index: Int) {
        if pushes[index].hasReturned, pushes[index].isCompleted { pushes.remove(at: index) }
    }

    private func index(of id: VoIPPushID) -> Int? { pushes.firstIndex { $0.id == id } }

    // MARK: Deliveries

    /// The number of calls that registries have to make, or that are to be dropped.
    var deliveryCount: Int { queue.count }

    /// The next call that a registry has to make; nil if there is none. Of several registries the last one receives the
    /// pushes.
    mutating func nextDelivery() -> PushDelivery? {
        while !queue.isEmpty {
            switch queue.removeFirst() {
            case .token(let id): if let token = token(of: id) { return .token(token, to: id) }
            case .push(let id, let payload): return .push(id, payload: payload, to: registries.last?.id)
            }
        }
        return nil
    }
}
