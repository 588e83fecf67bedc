#if os(iOS)
    import Foundation

    enum Haptics {
        static func tick() { print("tick") }
    }
#endif
