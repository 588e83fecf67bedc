import FoundationEssentials
import LifeCycleModel
import Testing

@Suite struct NanosecondsTests {
    @Test(arguments: [
        ("30", 30_000_000_000), ("30s", 30_000_000_000), ("2.5s", 2_500_000_000), ("1.5 s", 1_500_000_000),
        ("200ms", 200_000_000), ("40us", 40_000), ("40µs", 40_000), ("7ns", 7), ("3m", 180_000_000_000),
        ("3 min", 180_000_000_000), ("1h", 3_600_000_000_000), ("0", 0), ("0.000000001", 1), ("1.5ns", 1),
        ("9223372036854775807ns", Int64.max), ("1h30m", 5_400_000_000_000), ("1m 2.5s", 62_500_000_000),
        ("1h 1m 1s 1ms 1us 1ns", 3_661_001_001_001),
    ])
    func reads(text: String, count: Int64) {
        #expect(Nanoseconds(parsing: text)?.rawValue == count)
    }

    @Test(arguments: [
        "", " ", "s", ".", "1.", ".5", "1.2.3", "-1", "+1", "1e3", "1 2 x", "s1", "1s2", "1 day", "٣", "0x10", "1,5",
        "9223372036854775808ns", "9223372036855s", "1.0000000001", "nan", "inf",
        "30m1h", "1s1s", "1h30", "1.5h30m", "1h-30m", "2562047h60m", "m", "1hm",
    ])
    func refuses(text: String) {
        #expect(Nanoseconds(parsing: text) == nil)
    }

    @Test(arguments: [
        (0, "0 s"), (1, "1 ns"), (999, "999 ns"), (40_000, "40 µs"), (1_500, "1.5 µs"), (150_000_000, "150 ms"),
        (2_500_000_000, "2.5 s"), (30_000_000_000, "30 s"), (-2_050_000_000, "-2.05 s"), (1_000_001, "1 ms"),
        (600_000_000_000, "600 s"), (Int64.min, "-9223372036.854 s"),
    ])
    func shows(count: Int64, text: String) {
        #expect(Nanoseconds(count).description == text)
    }

    @Test(arguments: [0, 1, 999, 40_000, 150_000_000, 30_000_000_000])
    func readsItsOwnDescription(count: Int64) {
        #expect(Nanoseconds(parsing: Nanoseconds(count).description) == Nanoseconds(count))
    }

    @Test func addsWithoutOverflow() {
        #expect(Nanoseconds.distantFuture + .seconds(1) == .distantFuture)
        #expect(Nanoseconds.seconds(3) - .seconds(1) == .milliseconds(2_000))
        #expect(Moment.zero.advanced(by: .seconds(1)).wall == .seconds(1))
    }
}

@Suite struct PolicyTests {
    @Test func presetsDifferAsTheGenerationsDid() {
        #expect(Policy.presets.map(\.name) == ["iOS4", "iOS7", "iOS13", "iOS26", "iOS27"])
        #expect(Policy.presets.map(\.backgroundTime) == [600, 180, 30, 30, 30].map { Nanoseconds.seconds($0) })
        #expect(Policy.presets.map(\.taskCap) == [nil, nil, 1000, 1000, 1000])
        #expect(Policy.iOS7.tasksNotEndedCode == .watchdog)
        #expect(Policy.iOS26.tasksNotEndedCode == .taskNotCompleted)
    }

    /// The limits that all presets share, by the tables of docs/policy.md.
    @Test func limitsMatchTheTables() {
        let lengths: [(KeyPath<Policy, Nanoseconds>, Int64)] = [
            (\.launch, 20), (\.launchWarning, 5), (\.resignActive, 10), (\.enterBackground, 5), (\.enterForeground, 10),
            (\.terminate, 5), (\.expirationHandlers, 5), (\.otherCallback, 10), (\.expirationLead, 5),
            (\.eventSlice, 10),
            (\.containerPause, 60), (\.adoptedBackgroundTime, 5), (\.adoptedExit, 10), (\.freeze, 10),
            (\.thawRetry, 1), (\.reconnect, 10), (\.shutdown, 8),
            (\.shutdownGrace, 2), (\.supervisorAbsence, 10), (\.supervisorHang, 30),
            (\.sessionEvents, 30), (\.backgroundFetch, 30),
            (\.fetchInterval, 900), (\.fetchBudget, 900), (\.remoteNotification, 30), (\.silentPushPeriod, 3600),
            (\.newsstandPeriod, 86_400),
            (\.transferRetry, 1),
            (\.transferRetryMost, 600), (\.discretionaryPatience, 86_400), (\.resumptionDelay, 60),
            (\.longFetch, 10), (\.fetchLead, 300), (\.delayedTaskAnswer, 30), (\.clockPersistence, 3600), (\.stall, 2),
            (\.resumptionDelayMost, 3600), (\.partialsKept, 604_800), (\.transferTurn, 60), (\.voipPush, 30),
            (\.callAction, 60), (\.voipPeriod, 300), (\.keepAliveFloor, 600),
        ]
        let counts: [(KeyPath<Policy, Int64?>, Int64)] = [
            (\.requestRate, 200), (\.openFiles, 1024), (\.fileSize, 4_294_967_296), (\.processes, 1024),
            (\.containerSize, 17_179_869_184),
        ]
        for policy in Policy.presets {
            for (limit, value) in lengths { #expect(policy[keyPath: limit] == .seconds(value), "\(limit)") }
            for (limit, value) in counts { #expect(policy[keyPath: limit] == value, "\(limit)") }
            #expect(policy.requestBurst == 2000)
            #expect(policy.transferActRate == 2000 && policy.transferActBurst == 400_000)
            #expect(policy.transfersPerApp == 100_000 && policy.sessionsPerApp == 1000)
            #expect(policy.transferBytesPerApp == 16 << 20 && policy.notificationBytesPerApp == 1 << 20)
            #expect(policy.partialsPerApp == 100 && policy.transferDeaths == 3)
            #expect(policy.transferReserve == 32 << 20 && policy.transferRoomLeft == 64 << 20)
            #expect(policy.transfersAtOnce == 16 && policy.transferWindow == 64 && policy.transferVainTries == 3)
            #expect(policy.significantDistance == 50_000 && policy.locationQueue == 100)
            #expect(policy.significantPause == .seconds(300))
            #expect(policy.fetchesAtOnce == 3 && policy.silentPushes == 3 && policy.voipMisses == 3)
            #expect(policy.voipSockets == 1 && policy.voipSocketsInAll == 400)
            #expect(policy.voipWakes == 15 && policy.voipRelaunches == 3)
            #expect(policy.notificationsPerApp == 64 && policy.deliveredPerApp == 100)
            #expect(policy.unproductiveFetches == 8 && policy.lowBattery == 20 && policy.connectionsPerHost == 64)
            #expect(policy.clockTolerance == .milliseconds(100))
            #expect(policy.notificationSound == .seconds(30))
            #expect(policy.notificationActRate == 1000 && policy.notificationActBurst == 20_000)
            #expect(policy.forceQuitCallsWillTerminate && policy.pushKitOvercomesForceQuit)
            #expect(policy.launchCallsDidEnterBackground && !policy.wakeCallsDidEnterBackground)
            #expect(!policy.memorySignalsAdopted)
            #expect(policy.launchesVoIPAtStart && !policy.liftsNewsstandThrottle)
        }
        #expect(Policy.presets.map(\.scenes) == [.none, .none, .none, .advised, .required])
        #expect(Policy.presets.map(\.tasksKeepDeviceAwake) == [true, false, false, false, false])
        #expect(Policy.presets.map(\.notificationsNeedRegistration) == [false, true, true, true, true])
        #expect(Policy.presets.map(\.forceQuitBarsWakes) == [false, true, true, true, true])
        #expect(Policy.presets.map(\.forceQuitBarsLocation) == [false, true, false, false, false])
        #expect(Policy.presets.map(\.taskSchedulerEndsFetch) == [false, false, true, true, true])
        #expect(Policy.presets.map(\.locationKeepsRunning) == [false, false, true, true, true])
        #expect(Policy.presets.map(\.voipPushNeedsCall) == [false, false, true, true, true])
        #expect(Policy.presets.map(\.prewarms) == [false, false, false, true, true])
        #expect(
            Policy.presets.map(\.tasksNotEndedCode)
                == [.watchdog, .watchdog, .taskNotCompleted, .taskNotCompleted, .taskNotCompleted])
    }

    @Test func findsPresetsByName() {
        for preset in Policy.presets { #expect(Policy.preset(named: preset.name) == preset) }
        #expect(Policy.preset(named: "iOS5") == nil)
    }

    @Test func everyPresetLeavesTimeForExpiration() {
        for preset in Policy.presets {
            #expect(preset.expirationLead <= preset.backgroundTime)
            #expect(preset.expirationHandlers <= preset.expirationLead)
        }
    }

    @Test func survivesCoding() throws {
        for preset in Policy.presets {
            let coded = try JSONDecoder().decode(Policy.self, from: JSONEncoder().encode(preset))
            #expect(coded == preset)
        }
    }
}

@Suite struct PolicySettingTests {
    @Test func setsEveryLimitByItsName() throws {
        for name in PolicySetting.names {
            var policy = Policy.iOS26
            let value =
                switch name {
                case "taskCap", "requestRate", "requestBurst", "openFiles", "fileSize", "processes", "containerSize",
                    "transferActRate", "transferActBurst", "sessionsPerApp", "transfersPerApp", "transfersAtOnce",
                    "transferWindow", "transferVainTries", "fetchesAtOnce", "silentPushes", "notificationsPerApp",
                    "deliveredPerApp", "notificationActBurst", "transferBytesPerApp", "notificationBytesPerApp",
                    "transferDeaths", "transferReserve", "transferRoomLeft", "notificationActRate", "partialsPerApp",
                    "connectionsPerHost", "unproductiveFetches", "lowBattery", "significantDistance",
                    "locationQueue", "locationPauseDistance", "regionFloor", "regionBuffer", "voipMisses",
                    "voipSockets", "voipSocketsInAll", "voipWakes", "voipRelaunches":
                    "7"
                case "scenes": "required"
                case "tasksKeepDeviceAwake", "liftsNewsstandThrottle", "forceQuitBarsLocation",
                    "wakeCallsDidEnterBackground", "memorySignalsAdopted":
                    "true"
                case "forceQuitCallsWillTerminate", "launchCallsDidEnterBackground", "launchesVoIPAtStart", "prewarms",
                    "taskSchedulerEndsFetch", "forceQuitBarsWakes", "notificationsNeedRegistration",
                    "locationKeepsRunning", "pushKitOvercomesForceQuit", "voipPushNeedsCall":
                    "false"
                case "expirationLead": "29s"
                default: "77s"
                }
            try PolicySetting.apply("\(name)=\(value)", to: &policy)
            #expect(policy != .iOS26, "\(name) changed nothing")
        }
    }

    @Test func setsValues() throws {
        var policy = Policy.iOS26
        try PolicySetting.apply("expirationLead=100ms", to: &policy)
        try PolicySetting.apply("backgroundTime=1.5s", to: &policy)
        try PolicySetting.apply("taskCap=none", to: &policy)
        #expect(policy.backgroundTime == .milliseconds(1_500))
        #expect(policy.taskCap == nil)
    }

    @Test(arguments: [
        ("backgroundTime", "is not a setting"), ("", "is not a setting"), ("=3", "no limit called \"\""),
        ("gravity=9", "no limit called \"gravity\""), ("launch=", "not a length of time"),
        ("launch=876001h", "up to 100 years"), ("lowBattery=0", "is not a whole number above zero"),
        ("launch=0", "not a length of time"), ("launch=-1s", "not a length of time"), ("launch=a=b", "not a length"),
        ("taskCap=0", "neither a whole number above zero nor none"), ("taskCap=1.5", "neither a whole number"),
        ("forceQuitCallsWillTerminate=yes", "neither true nor false"),
        ("tasksKeepDeviceAwake=1", "neither true nor false"), ("scenes=maybe", "is not none, advised or required"),
        ("scenes=", "is not none"), ("requestRate=0", "neither a whole number above zero nor none"),
        ("requestRate=9223372036854775807", "is above 2305843008, the largest number"),
        ("requestBurst=none", "requestRate can"),
        ("transferActBurst=none", "transferActRate can"), ("notificationActBurst=none", "notificationActRate can"),
        ("transfersAtOnce=none", "cannot be none"), ("locationQueue=1001", "is above 1000, the largest number"),
        ("requestBurst=-1", "is not a whole number above zero"), ("containerSize=4GB", "neither a whole number"),
    ])
    func refuses(setting: String, complaint: String) {
        var policy = Policy.iOS26
        let error = #expect(throws: PolicySetting.Invalid.self) { try PolicySetting.apply(setting, to: &policy) }
        #expect(error?.description.contains(complaint) == true, "\(error?.description ?? "no error")")
        #expect(policy == .iOS26)
    }

    @Test func limitsThatMakeEachOtherImpossibleAreRefused() {
        var policy = Policy.iOS26
        #expect(throws: Never.self) { try PolicySetting.check(policy) }
        policy.backgroundTime = .seconds(1)
        let error = #expect(throws: PolicySetting.Invalid.self) { try PolicySetting.check(policy) }
        #expect(error?.description.contains("expirationLead (5 s) is longer than backgroundTime (1 s)") == true)
    }

    /// The system would be busy with such a limit alone, or keep no other limit.
    @Test(arguments: [
        ("stall=1ns", "stall (1 ns) is shorter than 100 ms"), ("transferTurn=1ns", "is shorter than 100 ms"),
        ("fetchInterval=1ns", "is shorter than 10 ms"), ("lowBattery=101", "lowBattery (101) is above 100"),
    ])
    func limitsThatTheSystemCannotKeepAreRefused(setting: String, complaint: String) throws {
        var policy = Policy.iOS26
        try PolicySetting.apply(setting, to: &policy)
        let error = #expect(throws: PolicySetting.Invalid.self) { try PolicySetting.check(policy) }
        #expect(error?.description.contains(complaint) == true, "\(error?.description ?? "no error")")
    }

    /// A size may be larger than a rate.
    @Test func aSizeCanBeSetToItsDefault() throws {
        var policy = Policy.iOS26
        try PolicySetting.apply("fileSize=4294967296", to: &policy)
        try PolicySetting.apply("containerSize=17179869184", to: &policy)
        #expect(policy == .iOS26)
    }

    @Test func noPresetHasAnImpossibleLimit() {
        for preset in Policy.presets { #expect(PolicySetting.impossibleLimit(of: preset) == nil) }
    }
}
