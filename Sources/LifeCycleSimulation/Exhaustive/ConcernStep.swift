import LifeCycleModel
import LifeCyclePolicy

/// A step of the search that concerns one concern and one app of the small world.
struct ConcernStep: Hashable, Sendable {
    /// The name of the step, which must be unique.
    let name: String
    /// Performs the step; false if the step is impossible in the current state.
    let perform: @Sendable (inout SmallWorld, AppID) -> Bool

    init(_ name: String, _ perform: @escaping @Sendable (inout SmallWorld, AppID) -> Bool) {
        (self.name, self.perform) = (name, perform)
    }

    /// A step by the code of an app, in the process with this index. The step is possible while the process runs and is
    /// connected.
    static func code(_ name: String, _ act: @escaping @Sendable (inout SmallWorld, Int) -> Bool) -> ConcernStep {
        ConcernStep(name) { world, app in
            guard let index = world.processes.firstIndex(where: { $0.launch.app == app }) else { return false }
            let process = world.processes[index]
            return process.isAttached && !process.isFrozen && process.exit == nil && act(&world, index)
        }
    }

    static func == (left: Self, right: Self) -> Bool { left.name == right.name }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// The app calls the completion handler of its first open event.
    static let finishEvent = code("finish event") { world, index in
        guard let event = world.processes[index].openEvents.first else { return false }
        world.processes[index].openEvents.removeFirst()
        return world.request(.eventHandled(event.callback, .newData), index)
    }
}

/// The steps of a concern, and the modes that its app declares.
struct ConcernAlphabet {
    let name: String
    let modes: [BackgroundMode]
    let searchSteps: [ConcernStep]
}

extension SmallWorld {
    /// Sends a request from an app's code. Always true.
    mutating func request(_ request: AppRequest, _ index: Int) -> Bool {
        handle(.app(processes[index].launch, .requested(request)))
        return true
    }
}
