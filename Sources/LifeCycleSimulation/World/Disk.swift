import LifeCycleModel

/// What the store would hold.
struct Disk: Hashable, Sendable {
    var device = DeviceRecord()
    var apps: [AppRecord] = []
    var launches: [LaunchRecord] = []

    mutating func store(_ record: Record) {
        switch record {
        case .device(let record): device = record
        case .app(let app):
            apps.removeAll { $0.app == app.app }
            apps.append(app)
        case .appRemoved(let id):
            apps.removeAll { $0.app == id }
        case .launch(let launch):
            launches.removeAll { $0.launch == launch.launch }
            launches.append(launch)
        case .launchEnded(let id):
            launches.removeAll { $0.launch == id }
        }
    }
}
