import LifeCycleModel

/// A callback as the interface has it, with its id: `reason` is there for `launch` alone.
extension Callback {
    /// The words of the interface; none is another's.
    private enum Kind: String, CaseIterable {
        case launch, didBecomeActive, willResignActive, didEnterBackground, willEnterForeground, expireTasks
        case deviceChanged, memoryWarning, disconnectScene, discardScenes, handleSessionEvents, handleEvent
        case remoteNotificationsRegistered, notification, willTerminate
    }

    init(_ fields: JSONField) throws(WireError) {
        self =
            switch try fields["kind"].choice(of: Kind.self) {
            case .launch: .launch(try fields["reason"].choice())
            case .didBecomeActive: .didBecomeActive
            case .willResignActive: .willResignActive
            case .didEnterBackground: .didEnterBackground
            case .willEnterForeground: .willEnterForeground
            case .expireTasks: .expireTasks
            case .deviceChanged: .deviceChanged(try DeviceFacts(fields["device"]))
            case .memoryWarning: .memoryWarning
            case .disconnectScene: .disconnectScene
            case .discardScenes: .discardScenes(try SceneSessionRange(fields["sessions"]))
            case .handleSessionEvents: .concern(.transfer(.handleEvents(try fields["session"].sessionIdentifier())))
            case .handleEvent: .concern(try ConcernCall(event: fields["event"]))
            case .notification: .concern(.notification(try NotificationCall(fields["notification"])))
            case .remoteNotificationsRegistered:
                .concern(.notification(.registeredForRemote(try fields["token"].ifGiven.map(DeviceToken.init))))
            case .willTerminate: .willTerminate
            }
    }

    func json(id: CallbackID) -> JSON {
        func json(
            _ kind: Kind, device: DeviceFacts? = nil, reason: LaunchReason? = nil, session: SessionIdentifier? = nil,
            sessions: SceneSessionRange? = nil, event: JSON? = nil, token: DeviceToken? = nil,
            notification: NotificationCall? = nil
        ) -> JSON {
            .object([
                "device": device?.json, "event": event, "id": .integer(Int64(id.rawValue)),
                "kind": .string(kind.rawValue), "notification": notification?.json,
                "reason": reason.map { .string($0.rawValue) }, "session": session.map { .string($0.rawValue) },
                "sessions": sessions?.json, "token": token.map { .string($0.hexadecimal) },
            ])
        }
        return switch self {
        case .launch(let why): json(.launch, reason: why)
        case .didBecomeActive: json(.didBecomeActive)
        case .willResignActive: json(.willResignActive)
        case .didEnterBackground: json(.didEnterBackground)
        case .willEnterForeground: json(.willEnterForeground)
        case .expireTasks: json(.expireTasks)
        case .deviceChanged(let facts): json(.deviceChanged, device: facts)
        case .memoryWarning: json(.memoryWarning)
        case .disconnectScene: json(.disconnectScene)
        case .discardScenes(let closed): json(.discardScenes, sessions: closed)
        case .concern(.transfer(.handleEvents(let session))): json(.handleSessionEvents, session: session)
        case .concern(.fetch(.performFetch)): json(.handleEvent, event: WakeEvent.backgroundFetch.json())
        case .concern(.notification(.receivedRemote(let notification))):
            json(.handleEvent, event: WakeEvent.remoteNotification.json(payload: notification.payload))
        case .concern(.notification(.registeredForRemote(let token))):
            json(.remoteNotificationsRegistered, token: token)
        case .concern(.notification(let call)): json(.notification, notification: call)
        case .willTerminate: json(.willTerminate)
        }
    }
}

extension SceneSessionRange {
    fileprivate init(_ field: JSONField) throws(WireError) {
        var sessions: [SceneSessionID] = []
        for number in try field.list() { sessions.append(SceneSessionID(try number.whole())) }
        self.init(sessions)
        guard self.sessions == sessions else {
            throw .invalidParameter(field: field.name, problem: "do not follow each other")
        }
    }

    fileprivate var json: JSON { .array(sessions.map { .integer(Int64($0.rawValue)) }) }
}
