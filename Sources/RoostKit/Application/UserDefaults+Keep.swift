import Foundation

extension UserDefaults {
    /// Writes what the app has set.
    ///
    /// On Apple's platforms a process of the system's keeps an app's defaults, so that they outlive it whatever ends it.
    /// Linux's Foundation writes them when it is asked to, which no app does any more: they are written before the app
    /// may be suspended, and before it exits. Where nothing was set since, that is a look into memory.
    static func keep() { _ = standard.synchronize() }
}
