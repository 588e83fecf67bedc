import LifeCycleModel
import LifeCyclePolicy
import LifeCycleSimulation

extension PlayAct {
    private static let silent = RemoteNotification(
        payload: #"{"aps":{"content-available":1}}"#, isContentAvailable: true)

    static let tap = PlayAct("tap", .user, Phrase("Tap the notification", "알림 누르기"), row: opening) { world, _ in
        guard let shown = world.world.shownNotifications(of: PlayWorld.app).first else {
            return Phrase("no notification is shown", "보이는 알림이 없음")
        }
        return world.handle(.concern(.notification(.tapped(shown.id))))
    }
    static let push = PlayAct("push", .outside, Phrase("A silent push", "조용한 푸시")) { world, _ in
        world.obstacleToFetches ?? world.handle(.concern(.notification(.pushArrived(PlayWorld.app, silent))))
    }
    static let schedule = PlayAct("schedule", .app, Phrase("Schedule a notification", "알림 예약하기")) { world, _ in
        world.run(.schedules("Tea is ready", after: .seconds(60), every: nil), bringsTime: true)
    }
}
