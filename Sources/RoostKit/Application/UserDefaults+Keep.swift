import Foundation

extension UserDefaults {
    /// Writes the app's defaults to disk.
    ///
    /// On Apple's platforms a system process persists the defaults, so they survive any end of the app. Foundation on
    /// Linux writes them only on request, and apps no longer request it. So RoostKit writes them before the app may be
    /// suspended and before it exits. If nothing was set since then, this only checks memory.
    static func keep() { _ = standard.synchronize() }
}
