import UIKit

/// The delegate's class, which the app's defaults name.
let delegate = UserDefaults.standard.string(forKey: "delegate") ?? "FiniteLengthTask"

UIApplicationMain(CommandLine.argc, CommandLine.unsafeArgv, nil, "NotesSample.\(delegate)")
