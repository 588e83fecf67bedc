import LifeCycleModel

/// The app's side of VoIP: its push registries, and its calls.
struct VoIPMirror: AppConcern {
    var pushes = PushMirror()
    var calls = CallMirror()

    mutating func handle(_ happening: AppHappening, into steps: inout [Step]) {
        pushes.handle(happening, into: &steps)
        calls.handle(happening, into: &steps)
    }
}
