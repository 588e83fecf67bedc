/// The limits of `Policy` that can be set by name, as in `roost up --set limit=value`.
public enum PolicySetting {
    /// An invalid setting, with a sentence for the user who entered it.
    public struct Invalid: Error, Hashable, Sendable, CustomStringConvertible {
        /// The reason, as a sentence.
        public let description: String
    }

    /// The allowed numbers. The bound keeps a number of seconds in nanoseconds within 64 bits.
    public static let allowedCounts: Range<Int64> = 1..<Int64.max / 4_000_000_000
    /// The allowed sizes, in bytes.
    private static let allowedSizes: Range<Int64> = 1..<1 << 53
    private static let sizes: Set = [  // ordered: looked up only
        "fileSize", "containerSize", "transferBytesPerApp", "notificationBytesPerApp", "transferReserve",
        "transferRoomLeft",
    ]
    private static func allowed(_ name: String) -> Range<Int64> {
        if name == "locationQueue" { return 1..<Int64(LocationCall.mostLocations) + 1 }
        return sizes.contains(name) ? allowedSizes : allowedCounts
    }
    /// The longest length of time: a hundred years. A time plus this length fits into 64 bits.
    public static let longest = Nanoseconds.seconds(100 * 365 * 86_400)

    private static let durations: [(name: String, path: any WritableKeyPath<Policy, Nanoseconds> & Sendable)] = [
        ("launch", \.launch), ("launchWarning", \.launchWarning), ("resignActive", \.resignActive),
        ("enterBackground", \.enterBackground), ("enterForeground", \.enterForeground), ("terminate", \.terminate),
        ("expirationHandlers", \.expirationHandlers), ("otherCallback", \.otherCallback),
        ("backgroundTime", \.backgroundTime), ("expirationLead", \.expirationLead), ("eventSlice", \.eventSlice),
        ("containerPause", \.containerPause), ("adoptedBackgroundTime", \.adoptedBackgroundTime),
        ("adoptedExit", \.adoptedExit), ("freeze", \.freeze),
        ("thawRetry", \.thawRetry),
        ("reconnect", \.reconnect),
        ("shutdown", \.shutdown), ("shutdownGrace", \.shutdownGrace),
        ("supervisorAbsence", \.supervisorAbsence), ("supervisorHang", \.supervisorHang),
        ("sessionEvents", \.sessionEvents),
        ("backgroundFetch", \.backgroundFetch), ("fetchInterval", \.fetchInterval),
        ("fetchBudget", \.fetchBudget), ("longFetch", \.longFetch), ("fetchLead", \.fetchLead),
        ("notificationSound", \.notificationSound), ("significantPause", \.significantPause),
        ("locationRequest", \.locationRequest), ("locationPause", \.locationPause),
        ("locationLook", \.locationLook), ("locationRest", \.locationRest),
        ("regionDwell", \.regionDwell), ("receiverLinger", \.receiverLinger), ("receiverPause", \.receiverPause),
        ("audioGrace", \.audioGrace), ("audioResumeWindow", \.audioResumeWindow),
        ("voipPush", \.voipPush), ("callAction", \.callAction),
        ("voipPeriod", \.voipPeriod), ("keepAliveFloor", \.keepAliveFloor),
        ("remoteNotification", \.remoteNotification), ("silentPushPeriod", \.silentPushPeriod),
        ("newsstandPeriod", \.newsstandPeriod),
        ("transferRetry", \.transferRetry), ("transferRetryMost", \.transferRetryMost),
        ("discretionaryPatience", \.discretionaryPatience), ("resumptionDelay", \.resumptionDelay),
        ("resumptionDelayMost", \.resumptionDelayMost), ("transferTurn", \.transferTurn),
        ("partialsKept", \.partialsKept), ("delayedTaskAnswer", \.delayedTaskAnswer),
        ("clockPersistence", \.clockPersistence), ("clockTolerance", \.clockTolerance),
        ("significantTimeChange", \.significantTimeChange), ("stall", \.stall),
    ]

    private static let counts: [(name: String, path: any WritableKeyPath<Policy, Int64?> & Sendable)] = [
        ("requestRate", \.requestRate), ("transferActRate", \.transferActRate),
        ("notificationActRate", \.notificationActRate), ("openFiles", \.openFiles),
        ("fileSize", \.fileSize),
        ("processes", \.processes), ("containerSize", \.containerSize),
    ]

    /// The counts that always have a number.
    private static let firmCounts: [(name: String, path: any WritableKeyPath<Policy, Int64> & Sendable)] = [
        ("requestBurst", \.requestBurst), ("transferActBurst", \.transferActBurst),
        ("sessionsPerApp", \.sessionsPerApp), ("transfersPerApp", \.transfersPerApp),
        ("transferBytesPerApp", \.transferBytesPerApp),
        ("transfersAtOnce", \.transfersAtOnce), ("transferWindow", \.transferWindow),
        ("fetchesAtOnce", \.fetchesAtOnce), ("silentPushes", \.silentPushes),
        ("transferVainTries", \.transferVainTries), ("transferDeaths", \.transferDeaths),
        ("transferReserve", \.transferReserve), ("transferRoomLeft", \.transferRoomLeft),
        ("notificationsPerApp", \.notificationsPerApp),
        ("deliveredPerApp", \.deliveredPerApp), ("notificationActBurst", \.notificationActBurst),
        ("notificationBytesPerApp", \.notificationBytesPerApp), ("partialsPerApp", \.partialsPerApp),
        ("connectionsPerHost", \.connectionsPerHost), ("unproductiveFetches", \.unproductiveFetches),
        ("lowBattery", \.lowBattery), ("significantDistance", \.significantDistance),
        ("regionFloor", \.regionFloor), ("regionBuffer", \.regionBuffer), ("locationQueue", \.locationQueue),
        ("locationPauseDistance", \.locationPauseDistance), ("voipMisses", \.voipMisses),
        ("voipSockets", \.voipSockets), ("voipSocketsInAll", \.voipSocketsInAll), ("voipWakes", \.voipWakes),
        ("voipRelaunches", \.voipRelaunches),
    ]

    private static let switches: [(name: String, path: any WritableKeyPath<Policy, Bool> & Sendable)] = [
        ("forceQuitCallsWillTerminate", \.forceQuitCallsWillTerminate),
        ("forceQuitBarsWakes", \.forceQuitBarsWakes), ("forceQuitBarsLocation", \.forceQuitBarsLocation),
        ("pushKitOvercomesForceQuit", \.pushKitOvercomesForceQuit), ("voipPushNeedsCall", \.voipPushNeedsCall),
        ("launchCallsDidEnterBackground", \.launchCallsDidEnterBackground),
        ("wakeCallsDidEnterBackground", \.wakeCallsDidEnterBackground),
        ("tasksKeepDeviceAwake", \.tasksKeepDeviceAwake), ("launchesVoIPAtStart", \.launchesVoIPAtStart),
        ("memorySignalsAdopted", \.memorySignalsAdopted), ("prewarms", \.prewarms),
        ("taskSchedulerEndsFetch", \.taskSchedulerEndsFetch),
        ("liftsNewsstandThrottle", \.liftsNewsstandThrottle), ("locationKeepsRunning", \.locationKeepsRunning),
        ("notificationsNeedRegistration", \.notificationsNeedRegistration),
    ]

    /// All names that can be set: lengths of time, numbers, `taskCap`, `scenes` and switches.
    public static var names: [String] {
        durations.map(\.name) + counts.map(\.name) + firmCounts.map(\.name) + ["taskCap", "scenes"]
            + switches.map(\.name)
    }

    /// Applies `name=value` to `policy`. A length of time is written `30`, `2.5s`, `200ms` or `3m`; a switch `true` or
    /// `false`; `taskCap` is a whole number or `none`. Throws `Invalid` if the name or the value is invalid.
    public static func apply(_ setting: String, to policy: inout Policy) throws(Invalid) {
        guard let equals = setting.firstIndex(of: "=") else {
            throw Invalid(
                description: "\"\(setting)\" is not a setting: write limit=value, for example backgroundTime=10s")
        }
        let name = String(setting[..<equals])
        let value = String(setting[setting.index(after: equals)...])
        if let duration = durations.first(where: { $0.name == name }) {
            guard let length = Nanoseconds(parsing: value), length > .zero, length <= longest else {
                throw Invalid(
                    description: "\(name): \"\(value)\" is not a length of time above zero and up to 100 years: "
                        + "write 30s, 200ms or 3m")
            }
            policy[keyPath: duration.path] = length
        } else if let choice = switches.first(where: { $0.name == name }) {
            guard let flag = Bool(value) else {
                throw Invalid(description: "\(name): \"\(value)\" is neither true nor false")
            }
            policy[keyPath: choice.path] = flag
        } else {
            try applyNumber(name, value, to: &policy)
        }
    }

    private static func applyNumber(_ name: String, _ value: String, to policy: inout Policy) throws(Invalid) {
        if let count = counts.first(where: { $0.name == name }) {
            policy[keyPath: count.path] = try self.count(value, of: name)
            return
        }
        if let firm = firmCounts.first(where: { $0.name == name }) {
            if value == "none" { throw Invalid(description: cannotBeNone(name)) }
            policy[keyPath: firm.path] = try number(value, of: name, orNone: false)
            return
        }
        switch name {
        case "taskCap": policy.taskCap = try count(value, of: name).map { Int($0) }
        case "scenes":
            guard let requirement = SceneRequirement(rawValue: value) else {
                throw Invalid(description: "scenes: \"\(value)\" is not none, advised or required")
            }
            policy.scenes = requirement
        default:
            throw Invalid(
                description: "there is no limit called \"\(name)\"; the limits are \(names.joined(separator: ", "))")
        }
    }

    private static func cannotBeNone(_ name: String) -> String {
        let advice = name.hasSuffix("Burst") ? "; \(name.dropLast("Burst".count))Rate can" : ""
        return "\(name): it cannot be none\(advice)"
    }

    private static func count(_ value: String, of name: String) throws(Invalid) -> Int64? {
        value == "none" ? nil : try number(value, of: name, orNone: true)
    }

    private static func number(_ value: String, of name: String, orNone mayBeNone: Bool) throws(Invalid) -> Int64 {
        guard let count = Int64(value), count > 0 else {
            let wanted = mayBeNone ? "neither a whole number above zero nor none" : "not a whole number above zero"
            throw Invalid(description: "\(name): \"\(value)\" is \(wanted)")
        }
        guard allowed(name).contains(count) else {
            throw Invalid(
                description: "\(name): \"\(value)\" is above \(allowed(name).upperBound - 1), the largest number")
        }
        return count
    }

    /// A limit of `policy` that no setting can give, with its value, such as "openFiles of -1"; nil if there is none. A
    /// policy from a file may have any values.
    public static func impossibleLimit(of policy: Policy) -> String? {
        for limit in durations {
            let length = policy[keyPath: limit.path]
            if length <= .zero || length > longest { return "\(limit.name) of \(length)" }
        }
        let numbers =
            counts.map { ($0.name, policy[keyPath: $0.path]) } + firmCounts.map { ($0.name, policy[keyPath: $0.path]) }
            + [("taskCap", policy.taskCap.map { Int64($0) })]
        for case (let name, let number?) in numbers where !allowed(name).contains(number) {
            return "\(name) of \(number)"
        }
        return nil
    }

    /// The lowest values that the system can keep, each with the reason.
    private static let lowest:
        [(name: String, path: any KeyPath<Policy, Nanoseconds> & Sendable, Nanoseconds, String)] = [
            ("stall", \.stall, .milliseconds(100), "every deadline would count as a stall, and no limit would be kept"),
            ("transferTurn", \.transferTurn, .milliseconds(100), "downloads would only replace each other"),
            ("fetchInterval", \.fetchInterval, .milliseconds(10), "the system would do nothing but offer fetches"),
        ]

    /// Checks the limits against each other, once all are set. Throws `Invalid` if a limit makes another limit
    /// impossible.
    public static func check(_ policy: Policy) throws(Invalid) {
        guard policy.expirationLead <= policy.backgroundTime else {
            throw Invalid(
                description: "expirationLead (\(policy.expirationLead)) is longer than backgroundTime "
                    + "(\(policy.backgroundTime)): handlers would be called before the time begins")
        }
        for (name, path, least, reason) in lowest where policy[keyPath: path] < least {
            throw Invalid(description: "\(name) (\(policy[keyPath: path])) is shorter than \(least): \(reason)")
        }
        guard policy.lowBattery <= 100 else {
            throw Invalid(description: "lowBattery (\(policy.lowBattery)) is above 100, the full charge in percent")
        }
    }
}
