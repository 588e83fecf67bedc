internal import GRDB
internal import LifeCycleModel

/// Each app's token for VoIP pushes, and its calls.
enum VoIPRows: RowsOfConcern {
    static var versions: [StoreSchema.Version] { [(16, addVoIP), (18, addOutgoingCalls)] }

    static func load(_ db: Database) throws -> [ConcernRecord] { try KeyedRows.load(db).map { .voip(.client($0)) } }

    static func apply(_ change: ConcernRecord, _ db: Database) throws -> Bool {
        guard case .voip(let change) = change else { return false }
        switch change {
        case .client(let record): try KeyedRows.put(record, db)
        }
        return true
    }

    static func removeAll(of app: AppID, _ db: Database) throws { try KeyedRows<VoIPRecord>.remove(app, db) }

    @Sendable private static func addVoIP(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE voip (
                    app INTEGER PRIMARY KEY,
                    record TEXT NOT NULL
                ) STRICT;
                """)
    }

    /// Changes nothing: the number alone makes an older Roost refuse the store, whose calls may be outgoing or on hold.
    @Sendable private static func addOutgoingCalls(_ db: Database) throws {}
}

extension VoIPRecord: KeyedRecord {
    static var table: String { "voip" }

    func check(_ cells: Cells) throws {
        if let count = token?.bytes.count, count != DeviceToken.size {
            throw cells.fault("record", "its token has \(count) bytes")
        }
        try cells.check(misses, in: StoreRows.short, "misses", of: "record")
        try cells.check(lastPush, in: StoreRows.long, "number of the last push", of: "record")
        guard (launch == nil) == calls.isEmpty else {
            throw cells.fault("record", "it has calls or a launch with calls, but not both")
        }
        guard launch.map({ $0.app == app }) ?? true else {
            throw cells.fault("record", "the launch that has its calls is another app's")
        }
        guard calls.count <= PhoneCall.most else { throw cells.fault("record", "it has \(calls.count) calls") }
        for call in calls {
            guard calls.count(where: { $0.id == call.id }) == 1 else {
                throw cells.fault("record", "two calls have the same UUID")
            }
            try call.check(cells)
        }
        guard zip(calls, calls.dropFirst()).allSatisfy({ $0.number < $1.number }) else {
            throw cells.fault("record", "its calls are not in the order of their numbers")
        }
    }
}

extension PhoneCall {
    fileprivate func check(_ cells: Cells) throws {
        try cells.check(number, in: StoreRows.long, "number of a call", of: "record")
        guard CallID(id.description) == id else { throw cells.fault("record", "a call's name is no UUID") }
        guard update == CallUpdate(caller: update.caller, hasVideo: update.hasVideo) else {
            throw cells.fault("record", "the name of a caller is too long")
        }
        let isPossible =
            switch state {
            case .ringing, .answering: !isOutgoing
            case .starting, .dialing: isOutgoing
            case .connected, .ending: true
            }
        guard isPossible else {
            throw cells.fault("record", "an \(isOutgoing ? "outgoing" : "incoming") call cannot be \(state)")
        }
        guard changes.allSatisfy({ !$0.action.isVital }) else {
            throw cells.fault("record", "a call has a change other than hold and mute")
        }
        let holds = changes.count { $0.action == .hold || $0.action == .resume }
        guard holds <= 1, changes.count - holds <= 1 else {
            throw cells.fault("record", "a call has two changes of the same kind")
        }
    }
}
