extension VarlinkInterface {
    /// Command line ⇄ system.
    public static let control = VarlinkInterface(
        name: "roost.Control",
        description: """
            # How people and programs drive Roost.
            interface roost.Control

            # A finite-length task an app has open.
            type Task (id: int, name: string)

            # An installed app. Without a process, what belongs to a process is missing. `freezer` and `place` are the kernel's
            # own words; `timeRemaining` and `processorTime` are in nanoseconds, `memory` in bytes; `assertions` say what keeps
            # the app from being suspended; `lastEnd` says how its last launch ended; `priority` is the kernel's own word on its
            # share of the processor and the disks; `modes` are its UIBackgroundModes.
            type App (
              identifier: string,
              name: string,
              state: (notRunning, inactive, active, background, suspended),
              pid: ?int,
              launch: ?int,
              freezer: ?string,
              place: ?string,
              priority: ?string,
              timeRemaining: ?int,
              openTasks: []Task,
              memory: ?int,
              processorTime: ?int,
              assertions: []string,
              isForceQuit: bool,
              allowsBackgroundRefresh: bool,
              modes: []string,
              usesScenes: bool,
              isAdopted: bool,
              lastEnd: ?string
            )

            # Why something was done: when, in nanoseconds since 1970; to which app and launch; `kind`, a word that does not
            # change from version to version; `text`, for people; and the state the app has now, where it changed.
            type Decision (
              time: int,
              app: ?string,
              launch: ?int,
              kind: string,
              text: string,
              state: ?(notRunning, inactive, active, background, suspended)
            )

            # What the user did, one of the two: text typed, or a tap at a place on the screen, in thousandths of a point.
            type Input (text: ?string, touch: ?(x: int, y: int))

            # A setting of the device's, or, with `app`, of that app: its name and its value, as people write them.
            type Setting (name: string, value: string, app: ?string)

            # A notification: scheduled, or fired and then handed to its app in front, about to be shown, or shown. `at` is when it fires
            # next, or has fired, in nanoseconds since 1970. `sound` is a file of the app's, or `default`; `badge` is 0 where it clears
            # the badge; a sound and a badge that the user does not allow are left out of what has fired. `thread` and `level` are a
            # provider's `thread-id` and `interruption-level`, `payload` is what it sent, the text of a JSON object; `userInfo` is what
            # the app gets back with a notification of its own, a property list in base64. `isCut`: the list is too long for one
            # reply, its texts are cut and `userInfo` and `payload` are left out.
            type Notification (
              number: int,
              app: string,
              state: (scheduled, handed, sounding, shown),
              at: ?int,
              repeats: ?string,
              timeZone: ?string,
              title: ?string,
              body: ?string,
              sound: ?string,
              badge: ?int,
              category: ?string,
              thread: ?string,
              level: ?string,
              userInfo: ?string,
              payload: ?string,
              isCut: ?bool
            )

            # A download of a background session, named by `app.session.task`. `state`: it waits, is under way, its file
            # is brought into the app's container, the app has still to take what became of it, or it is delivered and
            # what has arrived is kept for a later task. `received` and `expected` are in bytes, `rate` in bytes a
            # second, `priority` in thousandths, `since` and `until` in nanoseconds since 1970. `wait` is what it waits
            # for, a word that does not change from version to version, `waitsFor` the same for people; `failure` says
            # why it came to nothing.
            type Transfer (
              id: string,
              app: string,
              session: string,
              url: string,
              state: (waiting, running, moving, delivering, kept),
              received: int,
              expected: ?int,
              rate: ?int,
              wait: ?string,
              waitsFor: ?string,
              since: int,
              until: ?int,
              priority: int,
              failures: int,
              failure: ?string
            )

            # Says who calls: the text of the file `cookie` beside this socket. First of all on each connection: without it, only
            # org.varlink.service is answered.
            method Authenticate(cookie: string) -> ()

            # Installs the bundle at an absolute path; over an older one only with `replacing`.
            method Install(path: string, replacing: bool) -> (app: App, notes: []string, decisions: []Decision)

            # Removes an app and its container.
            method Uninstall(app: string) -> (decisions: []Decision)

            # Opens an app, as a tap on its icon.
            method Launch(app: string) -> (decisions: []Decision)

            # Goes to the home screen.
            method Home() -> (decisions: []Decision)

            # Lets an event happen that apps may be woken for. With bluetoothCentral and bluetoothPeripheral go at most 16 restore
            # identifiers of the app's managers, of at most 256 bytes, which a launch has among its options.
            method Wake(
              app: string,
              reason: (user, locationUpdate, locationMonitoring, remoteNotification, backgroundFetch, voip, externalAccessory, bluetoothCentral, bluetoothPeripheral, newsstand),
              restoreIdentifiers: ?[]string
            ) -> (decisions: []Decision)

            # Hands an app a remote notification; the payload is the text of a JSON object of at most 4096 bytes, as Apple's service
            # takes it.
            method Push(app: string, payload: string) -> (decisions: []Decision)

            # Swipes an app away.
            method Quit(app: string) -> (decisions: []Decision)

            # Goes to an app that is in the app switcher; without a name, to the one used before.
            method Switch(app: ?string) -> (decisions: []Decision)

            # Lets something interrupt the app in front.
            method Interrupt(kind: (call, message, alert, notificationCenter, appSwitcher)) -> (decisions: []Decision)

            # The user ignores the interruption.
            method Dismiss() -> (decisions: []Decision)

            # The user takes the interruption up, and goes to the app named, or to the home screen.
            method Accept(app: ?string) -> (decisions: []Decision)

            # Locks the screen.
            method Lock() -> (decisions: []Decision)

            # Unlocks the screen.
            method Unlock() -> (decisions: []Decision)

            # Lets memory be low: at `warning` apps that run are warned, at `critical` one has to go.
            method Memory(pressure: (warning, critical)) -> (decisions: []Decision)

            # Lets the device's clock be set: apps are told of a significant time change. The machine's stays as it is.
            method Clock() -> (decisions: []Decision)

            # What is set.
            method Settings() -> (settings: []Setting)

            # Changes a setting; with `app`, that app's `backgroundRefresh`.
            method Set(name: string, value: string, app: ?string) -> (decisions: []Decision)

            # Does something to an app as the user does; it is delivered if the app is active, else refused.
            method Send(app: string, input: Input) -> (decisions: []Decision)

            # The transfers there are, or those of one app, in the order of their numbers, from the one after `after`
            # on; to be called again with the last one's `id` until `isLast`.
            method Transfers(app: ?string, after: ?string) -> (transfers: []Transfer, isLast: bool)

            # Lets transfers rest, go on, be cancelled, or begin at once whatever they wait for; 1000 at most. `done` is
            # with how many: those with which it could not be done stay as they are, and where it could be done with
            # none the call fails.
            method Transfer(ids: []string, wish: (pause, resume, cancel, now)) -> (done: int, decisions: []Decision)

            # The notifications there are, or those of one app: scheduled, and fired but not dealt with; 5000 at most.
            method Notifications(app: ?string) -> (notifications: []Notification)

            # The user opens an app by one of its notifications that are shown, or takes it away.
            method AnswerNotification(app: string, number: int, wish: (tap, dismiss)) -> (decisions: []Decision)

            # The user lets an app show notifications, or not.
            method AllowNotifications(app: string, allowed: bool) -> (decisions: []Decision)

            # Every installed app.
            method List() -> (apps: []App)

            # What was decided about an app, oldest first.
            method Why(app: string) -> (decisions: []Decision)

            # Every decision from now on; to be called with "more".
            method Watch() -> (decision: Decision)

            # Lets the system hand over to a successor, which may be a newer program; apps are not touched. The answer comes
            # before that: it is done when `Status` tells another `pid`.
            method Restart() -> ()

            # The system itself. `pid` is the supervisor's; `guardian`, if it has one, is what starts it again.
            method Status() -> (
              pid: int,
              guardian: ?int,
              system: string,
              stateDirectory: string,
              policy: string,
              mechanism: string,
              version: string,
              front: ?string,
              isLocked: bool,
              interruption: ?(call, message, alert, notificationCenter, appSwitcher),
              sandbox: string
            )

            # This connection has not authenticated, or by another cookie than the system's.
            error NotAuthenticated ()

            # What was asked could not be done.
            error Failed (
              code: (noSuchApp, alreadyInstalled, badBundle, badSetting, refused, noSuchTransfer, systemFault),
              message: string
            )

            """)
}
