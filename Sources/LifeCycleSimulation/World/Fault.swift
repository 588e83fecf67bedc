/// A fault of the virtual world. A long exploration must meet every case.
enum Fault: String, Hashable, Sendable, CaseIterable {
    // The system and the device.
    case restart = "restart of the system"
    case death = "death between event and effects"
    case failedCommit = "a commit fails"
    case lostRecords = "restart without what could not be committed"
    case reboot
    case sleep
    case disconnection = "an app's connection breaks"
    case startFails = "start fails"
    case noToken = "no device token can be made"
    case freezeFails = "freeze fails"
    case thawFails = "thaw fails"
    case outsideThaw = "another process thaws an app"
    case fullContainer = "container is too large"
    case loopStall = "the event loop stalls"
    case unreadRequests = "an app's connection breaks with requests unread"
    case lateRequest = "a request arrives late"
    case lateReport = "a report arrives late"
    case repeatedReport = "a report arrives twice"

    // The network and the engine.
    case outage = "nothing arrives"
    case lostConnection = "a connection is lost"
    case busyServer = "a server is busy"
    case badCertificate = "a certificate is bad"
    case changedFile = "a file changes on its server"
    case fullDisk = "the disk is full"
    case brokenMove = "a file cannot be moved"

    // Apps, as their behavior profiles demand.
    case hang = "an app hangs"
    case crash = "an app crashes"
    case exit = "an app exits by itself"
    case delay = "an app takes long"
    case forgottenTask = "an app forgets a task"
    case missingHandler = "an app's task has no handler"
    case ignoredExpiry = "an app ignores an expiry"
    case secondEnd = "an app ends a task twice"
    case lie = "an app lies"
    case flood = "an app floods"
    case ignoredExit = "an app ignores SIGTERM"
    case repeatedRequest = "an app says a thing twice"
    case forgottenHandler = "an app forgets a session's handler"
    case deathWithFile = "an app dies while it is notified of a file"
    case slowDelegate = "a session's delegate is slow"
    case fork = "an app forks"
    case slowFreeze = "children take long to freeze"
    case orphans = "an app's children outlive it"
}
