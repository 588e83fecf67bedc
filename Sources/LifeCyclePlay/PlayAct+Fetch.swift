import LifeCycleModel
import LifeCyclePolicy
import LifeCycleSimulation

extension PlayAct {
    static let fetch = PlayAct("fetch", .device, Phrase("A fetch is due", "페치할 차례")) { world, _ in
        world.obstacleToFetches ?? world.handle(.device(.wakeOccurred(PlayWorld.app, .backgroundFetch)))
    }
}

extension PlayWorld {
    /// The reason why fetches are impossible; nil if they are possible. Background fetch and silent pushes came with
    /// iOS 7.
    var obstacleToFetches: Phrase? {
        if PlayApp.knowsFetch(world.device.policy) { return nil }
        return Phrase("this generation does not have it: it came with iOS 7", "이 세대에는 없음: iOS 7에서 생김")
    }
}
