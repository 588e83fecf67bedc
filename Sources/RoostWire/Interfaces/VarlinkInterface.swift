/// A varlink interface with its description, which clients may ask for.
///
/// The descriptions are the files beside this one; a test compares them.
public struct VarlinkInterface: Hashable, Sendable, CustomStringConvertible {
    /// Its name: `roost.App`.
    public let name: String
    /// Its text in varlink's own language.
    public let description: String

    init(name: String, description: String) {
        self.name = name
        self.description = description
    }

    /// App ⇄ system.
    public static let app = VarlinkInterface(
        name: "roost.App",
        description: """
            # What an app says to Roost, and what Roost calls it for.
            #
            # An app has two connections to the socket in ROOST_SOCKET. On the first, the callbacks, it calls Attach with "more"
            # and reads replies for as long as it lives. On the second, the requests, it calls Identify and then sends requests,
            # in one order, "oneway". Attach is sent before Identify; the system takes no request before it has seen both.
            interface roost.App

            # A finite-length task. Identifiers count up from 1 in each launch. A name has at most 1024 bytes; names may be left
            # out where a list would not fit a message.
            type Task (id: int, name: string)

            # The device as an app may know it. `batteryLevel` is in percent; `clockChanges` counts how often its clock was set.
            type Device (
              isProtectedDataAvailable: bool,
              backgroundRefresh: (restricted, denied, available),
              isLowPowerModeEnabled: bool,
              power: (battery, external),
              batteryLevel: int,
              clockChanges: int
            )

            # What the user did, one of the two: text typed, or a tap at a place on the screen, in thousandths of a point.
            type Input (text: ?string, touch: ?(x: int, y: int))

            # Something to run on the main thread, and then to acknowledge by its id. `reason` is given for `launch` alone, `device`
            # for `deviceChanged`, the numbers of scene sessions for `discardScenes`, the name of a background session for
            # `handleSessionEvents`, an event for `handleEvent`, what it is called for by `notification`, and for
            # `remoteNotificationsRegistered` the token by which providers name the app, 64 hexadecimal digits; left out where none could be
            # made.
            type Callback (
              id: int,
              kind: (launch, didBecomeActive, willResignActive, didEnterBackground, willEnterForeground, expireTasks, deviceChanged, memoryWarning, disconnectScene, discardScenes, handleSessionEvents, handleEvent, remoteNotificationsRegistered, notification, willTerminate),
              reason: ?(user, locationUpdate, locationMonitoring, remoteNotification, backgroundFetch, voip, externalAccessory, bluetoothCentral, bluetoothPeripheral, newsstand, urlSession),
              device: ?Device,
              sessions: ?[]int,
              session: ?string,
              event: ?Event,
              token: ?string,
              notification: ?NotificationCall
            )

            # Something the app was woken for, or would have been: it is to say by HandledEvent when it is done with it. A remote
            # notification has a payload, the text of a JSON object.
            type Event (kind: (backgroundFetch, remoteNotification), payload: ?string)

            # What an app would have the user told, and when: without a fire date, at once; with a zone, when clocks there, or wherever
            # the device is, show what the fire date is in that zone. The body has at most 4096 bytes, the other texts 255, and what the
            # app is given back with it 64 KiB of base64.
            type Notification (
              fireDate: ?int,
              timeZone: ?string,
              repeats: ?(minute, hour, day, week, month, quarter, year),
              alertBody: ?string,
              alertTitle: ?string,
              alertAction: ?string,
              hasAction: ?bool,
              alertLaunchImage: ?string,
              soundName: ?string,
              isSoundStandard: ?bool,
              badge: ?int,
              userInfo: ?string,
              category: ?string
            )

            # One has fired while the app is in front, or the user opened the app by it; or what the user lets the app show: 1 for
            # badges, 2 for sounds, 4 for alerts, added up.
            type NotificationCall (kind: (received, registered), notification: ?Notification, types: ?int)

            # What became of the app's notifications: how it stands, and that those that are scheduled follow; one that is; one that is
            # no more; up to which number the app was heard; its badge; the one the user launched the app by; the
            # `payload` of the remote one that it is launched for, or by.
            type NotificationNews (
              kind: (begins, scheduled, unscheduled, heard, badge, launchedBy, launchedByRemote),
              notification: ?Notification,
              number: ?int,
              badge: ?int,
              types: ?int,
              payload: ?string
            )

            # A field of a header, of a request or of an answer. A list holds at most 256 of them, and 32 KiB of names and values.
            type Field (name: string, value: string)

            # The networks that may be used: mobile ones, those that cost something, those in Low Data Mode.
            type Networks (cellular: bool, expensive: bool, constrained: bool)

            # What is asked of a server: a URL of at most 8 KiB, what is sent with it in base64 of at most 96 KiB, and how long nothing
            # may arrive, in nanoseconds; without it, as long as the session says.
            type Request (url: string, method: string, fields: []Field, body: ?string, timeout: ?int, networks: Networks)

            # What an app says of a background session; the timeouts are in nanoseconds.
            type SessionConfiguration (
              sendsLaunchEvents: bool,
              isDiscretionary: bool,
              networks: Networks,
              connectionsPerHost: int,
              fields: []Field,
              requestTimeout: int,
              resourceTimeout: int,
              sharedContainer: ?string
            )

            # What an app does with a background session, or with a task of it. `task` is the app's own number for a task, from 1 on.
            # With `open`: `configuration`. With `make`: `task`, `request`, and the task whose partial file it goes on with, where it
            # does: its app and session by the numbers that `opened` has told. With `cancel`: `keepsPartial`. With `setPriority`: from
            # 0 to 1000. With `setText`: `text`, at most 4 KiB, left out for none. With `setEarliestBegin`: `time`, in nanoseconds since
            # 1970, left out for none. With `setExpectedToReceive`: `count`, left out where it is not known. With `proceed`:
            # `disposition`, and for `useNewRequest` `request`. With `list`: the number `after` which tasks are to be told. With
            # `acknowledge`: at most 1000 `tasks`.
            type Act (
              kind: (open, make, resume, suspend, cancel, setPriority, setText, setEarliestBegin, setExpectedToReceive, proceed, list, acknowledge, finishTasksAndInvalidate, invalidateAndCancel, handled),
              task: ?int,
              configuration: ?SessionConfiguration,
              request: ?Request,
              resumes: ?(app: int, session: int, task: int),
              keepsPartial: ?bool,
              priority: ?int,
              text: ?string,
              time: ?int,
              count: ?int,
              disposition: ?(continueLoading, useNewRequest, cancel),
              after: ?int,
              tasks: ?[]int
            )

            # A task of a background session. `priority` is from 0 to 1000, `earliestBegin` in nanoseconds since 1970; `expected` is left
            # out where the server has not told it.
            type Transfer (
              number: int,
              request: Request,
              text: ?string,
              priority: int,
              earliestBegin: ?int,
              isSuspended: bool,
              received: int,
              expected: ?int
            )

            # Why a task came to nothing: a code of NSURLErrorDomain, a sentence, why the system cancelled it (0: the user has swiped the
            # app away, 1: no background refresh, 2: no room), and what of it is kept for a later task.
            type Failure (
              code: int,
              reason: string,
              cancelledReason: ?int,
              resumable: ?(received: int, expected: ?int, validator: ?string, boot: string)
            )

            # What became of a background session, or of a task of it. With `opened`: whose session it is and which, by the system's
            # numbers, and a number above those of all its tasks. With `listed`: at most 200 `tasks`, in the order of their numbers, and
            # whether they are the last. With `progressed` and `resumed`: `received` or `offset`, and `expected` where it is known. With
            # `downloaded`: where the file lies, below the app's home, the head of the answer, and the size. With `failed`: `failure`.
            type News (
              kind: (opened, listed, progressed, resumed, willBegin, downloaded, failed, eventsFinished, invalidated),
              task: ?int,
              app: ?int,
              number: ?int,
              lowestFree: ?int,
              tasks: ?[]Transfer,
              isLast: ?bool,
              received: ?int,
              offset: ?int,
              expected: ?int,
              file: ?string,
              response: ?(url: string, status: int, fields: []Field),
              size: ?int,
              failure: ?Failure
            )

            # Opens the callbacks connection, for the first time or again: the token of the launch, the last callback that was
            # finished (0 for none), how far the app has come, and the tasks it has open, in the order of their ids.
            # Whether it keeps the device from locking itself, and whether its scene is connected, may be left out for "no"; so may
            # the events it was handed and is not done with, each with the callback it came by, and the number of the last thing it did
            # with its notifications.
            # Each reply holds exactly one of the seven: a callback; until when background time lasts, in nanoseconds of
            # CLOCK_MONOTONIC (without `until`: no clock runs); a task that could not be granted; the device as it is, said first of
            # all; what the user did, while the app is active; what became of a background session that the app has open.
            method Attach(
              token: string,
              lastCallback: int,
              phase: (starting, rising, active, falling, background),
              open: []Task,
              isIdleTimerDisabled: ?bool,
              isSceneConnected: ?bool,
              openEvents: ?[](callback: int, kind: (backgroundFetch, remoteNotification)),
              notificationActs: ?int
            ) -> (
              callback: ?Callback,
              backgroundTime: ?(until: ?int),
              taskRefused: ?(task: int),
              restoreIdentifiers: ?[]string,
              device: ?Device,
              input: ?Input,
              transfer: ?(session: string, news: News),
              notification: ?NotificationNews
            )

            # Opens the requests connection.
            method Identify(token: string) -> ()

            # A callback has returned; `open` are the tasks open at that instant, in the order of their ids.
            method Acknowledge(callback: int, open: []Task) -> ()

            # A task was begun off the foreground.
            method BeginTask(task: Task) -> ()

            # A task was ended off the foreground.
            method EndTask(task: int) -> ()

            # Whether the device may lock itself while the app is in front.
            method SetIdleTimerDisabled(disabled: bool) -> ()

            # The completion handler of the event that came by this callback was called, and says what it has brought.
            method HandledEvent(callback: int, result: (newData, noData, failed)) -> ()

            # How often the app would like an opportunity to fetch at most, in nanoseconds; without it, never.
            method SetMinimumFetchInterval(interval: ?int) -> ()

            # What the app does with its local notifications, counted up from 1 in each launch: what was heard before is passed over.
            method Notification(
              number: int,
              kind: (schedule, present, cancel, cancelAll, setBadge, register),
              notification: ?Notification,
              badge: ?int,
              types: ?int
            ) -> ()

            # Whether the app wants remote notifications. Where it does, it is told by which token providers name it.
            # `liftsNewsstandThrottle` is for Newsstand apps: their defaults say that each may wake them. A system for development heeds it.
            method SetRemoteNotifications(wanted: bool, liftsNewsstandThrottle: ?bool) -> ()

            # What the app does with the background session of this name, which has at most 1024 bytes. After a reconnection the app
            # opens its sessions again, and says again what it wants of each task that it has heard no outcome of.
            method Transfer(session: string, act: Act) -> ()

            # No launch has this token, or the launch that had it is over.
            error UnknownToken ()

            # Another connection speaks for this launch already.
            error AlreadyConnected ()

            # A request came on a connection that has not identified itself.
            error NotIdentified ()

            """)

    /// What every varlink service has.
    public static let service = VarlinkInterface(
        name: "org.varlink.service",
        description: """
            # The Varlink Service Interface is provided by every varlink service. It
            # describes the service and the interfaces it implements.
            interface org.varlink.service

            # Get a list of all the interfaces a service provides and information
            # about the implementation.
            method GetInfo() -> (
              vendor: string,
              product: string,
              version: string,
              url: string,
              interfaces: []string
            )

            # Get the description of an interface that is implemented by this service.
            method GetInterfaceDescription(interface: string) -> (description: string)

            # The requested interface was not found.
            error InterfaceNotFound (interface: string)

            # The requested method was not found
            error MethodNotFound (method: string)

            # The interface defines the requested method, but the service does not
            # implement it.
            error MethodNotImplemented (method: string)

            # One of the passed parameters is invalid.
            error InvalidParameter (parameter: string)

            """)
}
