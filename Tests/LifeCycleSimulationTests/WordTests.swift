import LifeCycleModel
import LifeCyclePolicy
import Synchronization
import Testing

@testable import LifeCycleSimulation

private let one = AppID(1)

extension EventWord {
    /// How the exhaustive search comes to the event.
    fileprivate var way: Way {
        switch self {
        case .appOpened: .life(.open(one))
        case .homePressed: .life(.home)
        case .appForceQuit: .life(.quit(one))
        case .wakeOccurred: .life(.wake(one))
        case .memoryRanLow: .life(.memoryLow)
        case .memoryRanShort: .life(.memoryShort)
        case .interruptionBegan: .life(.interrupt)
        case .interruptionDismissed: .life(.dismiss)
        case .interruptionAccepted: .life(.accept(nil))
        case .deviceLocked: .life(.lock)
        case .deviceUnlocked: .life(.unlock)
        case .settingChanged: .fetch(.lowPower)
        case .started, .attached: .life(.open(one), .connect(one))
        case .acknowledge: .life(.open(one), .connect(one), .acknowledge(one))
        case .exited: .life(.open(one), .exit(one))
        case .froze: .letters("life cycle", Way.suspended)
        case .freezeFailed: .letters("life cycle", Way.suspended.dropLast() + [.failToFreeze(one)])
        case .found: .life(.open(one), .restart)
        case .beginTask: .life(.wake(one), .connect(one), .beginTask(one))
        case .endTask: .life(.wake(one), .connect(one), .beginTask(one), .endTask(one))
        case .deadlineReached: .life(.open(one), .deadline)
        case .setMinimumInterval: .fetch(.askForFetches)
        case .eventHandled:
            .letters(
                "fetch with transfers",
                Way.active + [.concern(one, .offerFetch), .acknowledge(one), .concern(one, .finishEvent)])
        case .register: .fetch(.register)
        case .schedule: .fetch(.schedule)
        case .cancelAll: .fetch(.schedule, .cancel)
        case .tapped: .letters("fetch with notifications", Way.tap)
        case .setRemoteNotifications, .tokenMade, .tokenPersisted: .fetch(.askForPushes)
        case .pushArrived: .fetch(.push)
        case .openSession: .transfers(.openSession)
        case .makeTask, .resumeTask: .transfers(.openSession, .download)
        case .completed, .moved: .transfers(.openSession, .download, .arrive)
        case .failed: .transfers(.openSession, .download, .fail)
        case .acknowledgeOutcomes: .transfers(.openSession, .download, .arrive, .take)
        case .stopped: .letters("fetch with transfers", Way.active + Way.download + [.quit(one)])
        case .handled: .letters("fetch with transfers", Way.wokenForSession + [.concern(one, .handled)])
        case .backgroundRefreshChanged, .networkChanged: .setting
        case .appSwitched, .appInstalled, .appUninstalled, .inputOccurred, .setIdleTimerDisabled, .startFailed, .thawed,
            .thawFailed, .deviceStarted, .deviceShutdownBegan, .shutdownBegan, .present, .cancel, .setBadge, .dismissed,
            .allowed, .suspendTask, .cancelTask, .setEarliestBegin, .proceed, .finishTasksAndInvalidate,
            .invalidateAndCancel, .wished:
            .random
        case .setPriority, .setText, .setExpectedToReceive, .list, .responded, .progressed, .checkpointed: .report
        case .footprintMeasured: .none("An app's size is reported when it is frozen, and stays what it was.")
        case .containerMeasured: .none("Containers have no limit here: each measurement would make another state.")
        case .cutOff: .none("Every process of the small world is known to its kernel.")
        case .clockWasSet: .none("The clock of the small world moves from one deadline to the next.")
        case .zoneChanged, .zoneRead: .none("Notifications of the small world have no time zone.")
        case .soundExamined: .none("Notifications of the small world have no sound of their own.")
        case .opportunityOffered: .none("The letter for it is an event of the device, which becomes this one.")
        }
    }
}

extension Way {
    fileprivate static let download: [Letter] = [.concern(one, .openSession), .concern(one, .download)]
    /// A notification is displayed off the foreground, and tapped.
    fileprivate static let tap: [Letter] =
        active + [.concern(one, .register), .acknowledge(one), .concern(one, .schedule)]
        + [.home, .acknowledge(one), .acknowledge(one), .freeze(one), .deadline, .concern(one, .tap)]
    /// All of the session is done while the app is suspended.
    fileprivate static let wokenForSession: [Letter] =
        active + download + [.home, .acknowledge(one), .acknowledge(one), .freeze(one), .concern(one, .arrive)]
}

/// The words of `Callback`. A new callback does not compile until it is one of them.
enum CallbackWord: String, CaseIterable {
    case launch, didBecomeActive, willResignActive, didEnterBackground, willEnterForeground, expireTasks, deviceChanged
    case memoryWarning, disconnectScene, discardScenes, willTerminate
    case handleSessionEvents, backgroundFetch, remoteNotification, received, registered, remoteNotificationsRegistered

    init(_ callback: Callback) {
        self =
            switch callback {
            case .launch: .launch
            case .didBecomeActive: .didBecomeActive
            case .willResignActive: .willResignActive
            case .didEnterBackground: .didEnterBackground
            case .willEnterForeground: .willEnterForeground
            case .expireTasks: .expireTasks
            case .deviceChanged: .deviceChanged
            case .memoryWarning: .memoryWarning
            case .disconnectScene: .disconnectScene
            case .discardScenes: .discardScenes
            case .willTerminate: .willTerminate
            case .concern(.transfer(.handleEvents)): .handleSessionEvents
            case .concern(.fetch(.performFetch)): .backgroundFetch
            case .concern(.notification(.receivedRemote)): .remoteNotification
            case .concern(.notification(.received)): .received
            case .concern(.notification(.registered)): .registered
            case .concern(.notification(.registeredForRemote)): .remoteNotificationsRegistered
            }
    }

    fileprivate var way: Way {
        switch self {
        case .launch: .life(.open(one), .connect(one))
        case .didBecomeActive: .life(.open(one), .connect(one), .acknowledge(one))
        case .willResignActive: .letters("life cycle", Way.active + [.home])
        case .didEnterBackground: .letters("life cycle", Way.active + [.home, .acknowledge(one)])
        case .willEnterForeground: .letters("life cycle", Way.suspended + [.open(one)])
        case .expireTasks:
            .life(
                .wake(one), .connect(one), .beginTask(one), .acknowledge(one), .acknowledge(one), .deadline, .deadline)
        case .deviceChanged: .letters("fetch with notifications", Way.active + [.concern(one, .lowPower)])
        case .memoryWarning: .letters("life cycle", Way.active + [.memoryLow])
        case .disconnectScene:
            .letters(
                "life cycle",
                Way.active + [.beginTask(one), .home, .acknowledge(one), .acknowledge(one)]
                    + [.memoryLow, .acknowledge(one)])
        case .discardScenes: .letters("life cycle", Way.active + [.quit(one), .acknowledge(one)])
        case .willTerminate: .letters("life cycle", Way.active + [.quit(one), .acknowledge(one), .acknowledge(one)])
        case .handleSessionEvents: .letters("fetch with transfers", Way.wokenForSession)
        case .backgroundFetch: .fetch(.offerFetch)
        case .remoteNotification:
            .letters(
                "fetch with notifications",
                Way.active + [.concern(one, .askForPushes), .acknowledge(one), .concern(one, .push)])
        case .received: .letters("fetch with notifications", Way.tap + [.acknowledge(one)])
        case .registered: .fetch(.register)
        case .remoteNotificationsRegistered: .fetch(.askForPushes)
        }
    }
}

/// Every event and every callback has a letter that leads to it, or a reason why none does.
@Suite struct WordTests {
    /// The words that happen on a way.
    private struct Words {
        var events: Set<EventWord> = []
        var callbacks: Set<CallbackWord> = []
    }

    private final class Heard: Sendable { let words = Mutex(Words()) }

    private func words(_ name: String, _ letters: [Letter]) throws -> Words {
        let heard = Heard()
        let alphabet = try #require(Alphabet.all.first { $0.name == name })
        var world = Exhaustive().world(alphabet)
        world.observer = { event, _, effects in
            heard.words.withLock { words in
                words.events.insert(EventWord(event))
                for case .launch(_, .send(.callback(_, let callback))) in effects {
                    words.callbacks.insert(CallbackWord(callback))
                }
            }
        }
        for letter in letters {
            #expect(alphabet.letters.contains(letter), "\(name) has no letter \(letter)")
            let isPossible = world.perform(letter)
            #expect(isPossible, "\(letter) is not possible after \(letters)")
        }
        #expect(world.violation == nil)
        return heard.words.withLock { $0 }
    }

    @Test(arguments: EventWord.allCases) func eventsHaveLetters(_ word: EventWord) throws {
        switch word.way {
        case .letters(let name, let letters): #expect(try words(name, letters).events.contains(word))
        case .none(let reason): #expect(reason.hasSuffix("."))
        }
    }

    @Test(arguments: CallbackWord.allCases) func callbacksHaveLetters(_ word: CallbackWord) throws {
        switch word.way {
        case .letters(let name, let letters): #expect(try words(name, letters).callbacks.contains(word))
        case .none(let reason): #expect(reason.hasSuffix("."))
        }
    }
}
