public import LifeCycleModel

/// A call about transfers.
public enum TransferControl: Hashable, Sendable {
    /// List transfers page by page, of `app` or of all apps, starting after the transfer `after`.
    case list(app: BundleIdentifier?, after: TransferID?)
    /// Apply a user action to transfers.
    case userAction([TransferID], TransferUserAction)

    /// The most transfers in one call.
    public static let mostTransfers = 1000
}

extension TransferControl {
    private static let listMethod = "roost.Control.Transfers"
    private static let transferMethod = "roost.Control.Transfer"

    /// Nil for a method of another concern.
    init?(_ method: String, _ parameters: JSONField) throws(WireError) {
        switch method {
        case Self.listMethod:
            self = .list(app: try parameters["app"].appIfGiven(), after: try parameters["after"].ifGiven?.transfer())
        case Self.transferMethod:
            var ids: [TransferID] = []
            for field in try parameters["ids"].list() { ids.append(try field.transfer()) }
            guard (1...Self.mostTransfers).contains(ids.count) else {
                throw .invalidParameter(
                    field: "ids", problem: "has \(ids.count) entries; there must be 1 to \(Self.mostTransfers)")
            }
            self = .userAction(ids, try parameters["action"].choice())
        default: return nil
        }
    }

    var call: VarlinkCall {
        switch self {
        case .list(let app, let after):
            VarlinkCall(Self.listMethod, ["after": after.map { .string($0.description) }, "app": app?.json])
        case .userAction(let ids, let action):
            VarlinkCall(
                Self.transferMethod,
                ["action": .string(action.rawValue), "ids": .array(ids.map { .string($0.description) })])
        }
    }
}

extension JSONField {
    fileprivate func transfer() throws(WireError) -> TransferID {
        let text = try string()
        guard let id = TransferID(text) else {
            throw .invalidParameter(field: name, problem: "\"\(text.prefix(256))\" is not a transfer's number")
        }
        return id
    }
}
