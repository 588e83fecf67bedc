import UIKit

/// Which of the two delegates the app has is written in its defaults.
let delegate = UserDefaults.standard.string(forKey: "delegate") ?? "FiniteLengthTask"

UIApplicationMain(CommandLine.argc, CommandLine.unsafeArgv, nil, "NotesSample.\(delegate)")
