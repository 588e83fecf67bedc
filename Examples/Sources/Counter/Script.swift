import UIKit

/// The content of `Documents/script`, read again at each callback. Each line has the name of a callback and an action.
///
/// ```
///   didEnterBackground begin upload 0.5     begin a task, end it after half a second on a background queue
///   didEnterBackground begin stay           begin a task and leave it open; its handler ends it
///   didEnterBackground bare stay            begin a task that has no handler
///   didEnterBackground elsewhere stay       the same on a separate thread
///   didEnterBackground unnamed              begin a task without a name; its handler ends it
///   willResignActive begins 1000            begin this many tasks, and leave them open
///   expire:stay say no                      the action of the handler of `stay`, instead of ending it
///   willEnterForeground end stay            end a task
///   didEnterBackground block 10             block the main thread
///   didEnterBackground wait gate            block it until another process writes to the pipe `Documents/gate`
///   didBecomeActive exit 3 | crash | fork   exit, crash, start a child that outlives the callback
///   didBecomeActive files                   write a file in each of the app's directories, and print their paths
///   didBecomeActive hold 40                 hold 40 MiB of memory, all of it written
///   didBecomeActive awake on | off          keep the device from locking itself, or no longer
///   didBecomeActive bind                    bind two queues and a timer to activation (see Bound)
///   didEnterBackground activity tidy        perform an expiring activity until its time is up
///   willFinishLaunching refuse              return false from the launch callbacks
///   didFinishLaunching fetches 3600         set the minimum fetch interval in seconds; 0 for as often as possible, or `never`
///   performFetch fetched newData            call the completion handler of the last fetch: newData, noData or failed
///   performFetch leave                      do not call it; without any action for performFetch it is called
///   didFinishLaunching registers            register for remote notifications; `unregisters` does the opposite
///   didReceiveRemoteNotification fetched newData   as for performFetch
///   didFinishLaunching settings             register for notifications of all kinds
///   didEnterBackground schedule tea 2       schedule a notification with this text, in two seconds
///   didEnterBackground schedule tea 2 a.caf   the same, with a sound of that name
///   didEnterBackground schedules 70 1000    schedule this many, the first in this many seconds, then one a second
///   didBecomeActive scheduled               print how many are scheduled
///   willResignActive cancels                cancel all of them
///   didBecomeActive misbehave garbage       break the rules of the app's sockets in one way (see Misbehavior)
/// ```
enum Script {
    enum Action {
        case begin(String, endAfter: TimeInterval?)
        case beginBare(String)
        case beginElsewhere(String)
        case beginUnnamed
        case begins(Int)
        case end(String)
        case block(TimeInterval)
        case exit(Int32)
        case crash
        case fork
        case say(String)
        case wait(String)
        case files
        case hold(Int)
        case staysAwake(Bool)
        case bind
        case activity(String)
        case refuse
        case fetches(TimeInterval)
        case fetched(UIBackgroundFetchResult)
        case registers(Bool)
        case settings
        case schedules(Int, String, TimeInterval, sound: String?)
        case scheduled
        case cancels
        case leave
        case misbehave(Misbehavior)
    }

    static let documents = NSHomeDirectory() + "/Documents"

    static func actions(for callback: String) -> [Action] {
        guard let text = try? String(contentsOfFile: documents + "/script", encoding: .utf8) else { return [] }
        return text.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ").map(String.init)
            guard words.first == callback else { return nil }
            return action(Array(words.dropFirst()))
        }
    }

    private static func action(_ words: [String]) -> Action? {
        let argument = words.dropFirst().first
        switch (words.first, argument) {
        case ("begin", let name?): return .begin(name, endAfter: words.dropFirst(2).first.flatMap { TimeInterval($0) })
        case ("bare", let name?): return .beginBare(name)
        case ("elsewhere", let name?): return .beginElsewhere(name)
        case ("unnamed", _): return .beginUnnamed
        case ("begins", let count?): return Int(count).map { .begins($0) }
        case ("end", let name?): return .end(name)
        case ("block", let seconds?): return TimeInterval(seconds).map { .block($0) }
        case ("exit", let code?): return Int32(code).map { .exit($0) }
        case ("crash", _): return .crash
        case ("fork", _): return .fork
        case ("wait", let pipe?): return .wait(pipe)
        case ("files", _): return .files
        case ("hold", let mebibytes?): return Int(mebibytes).map { .hold($0) }
        case ("awake", "on"), ("awake", "off"): return .staysAwake(argument == "on")
        case ("bind", _): return .bind
        case ("activity", let name?): return .activity(name)
        case ("refuse", _): return .refuse
        case ("fetches", let seconds?):
            return seconds == "never"
                ? .fetches(UIApplication.backgroundFetchIntervalNever) : TimeInterval(seconds).map { .fetches($0) }
        case ("fetched", "newData"): return .fetched(.newData)
        case ("fetched", "noData"): return .fetched(.noData)
        case ("fetched", "failed"): return .fetched(.failed)
        case ("registers", _): return .registers(true)
        case ("unregisters", _): return .registers(false)
        case ("settings", _): return .settings
        case ("schedule", let text?):
            let sound = words.dropFirst(3).first
            return words.dropFirst(2).first.flatMap { TimeInterval($0) }.map { .schedules(1, text, $0, sound: sound) }
        case ("schedules", let count?):
            guard let count = Int(count) else { return nil }
            return words.dropFirst(2).first.flatMap { TimeInterval($0) }.map {
                .schedules(count, "number", $0, sound: nil)
            }
        case ("scheduled", _): return .scheduled
        case ("cancels", _): return .cancels
        case ("leave", _): return .leave
        case ("misbehave", let kind?): return Misbehavior(rawValue: kind).map { .misbehave($0) }
        case ("say", _): return .say(words.dropFirst().joined(separator: " "))
        default:
            print("the script says what I do not understand: \(words.joined(separator: " "))")
            return nil
        }
    }
}
