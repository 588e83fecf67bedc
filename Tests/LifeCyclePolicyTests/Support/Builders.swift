import LifeCycleModel

/// The start of every bench's clock.
let start = Nanoseconds.seconds(1000)

func seconds(_ count: Int64) -> Nanoseconds { .seconds(count) }

/// The time that is `count` seconds after the start.
func at(_ count: Int64) -> Nanoseconds { start + .seconds(count) }

func app(_ number: Int32) -> AppID { AppID(number) }

func launch(_ app: Int32, _ number: Int32 = 1) -> LaunchID { LaunchID(app: AppID(app), number: number) }

func callback(_ number: Int32) -> CallbackID { CallbackID(number) }

func task(_ id: Int64) -> BackgroundTask { BackgroundTask(id: TaskID(id), name: "task \(id)") }

extension AppManifest {
    /// The manifest of the `number`th app of a bench.
    static func sample(
        _ number: Int = 1, modes: [BackgroundMode] = [], exitsOnSuspend: Bool = false, usesScenes: Bool = false,
        isAdopted: Bool = false, taskIdentifiers: [String]? = nil
    ) -> AppManifest {
        guard let identifier = BundleIdentifier("org.example.app\(number)") else {
            preconditionFailure("letters, digits and full stops only")
        }
        return AppManifest(
            identifier: identifier, executable: "app", backgroundModes: modes, taskIdentifiers: taskIdentifiers,
            exitsOnSuspend: exitsOnSuspend, usesScenes: usesScenes, isAdopted: isAdopted)
    }
}

extension Policy {
    func with(_ change: (inout Policy) -> Void) -> Policy {
        var copy = self
        change(&copy)
        return copy
    }
}
