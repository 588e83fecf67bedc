import CRoostNote
import Foundation

/// Classes that are known by a value or a name only, as those of delegates are.
enum ClassByName {
    /// An object made by the class' `init()` (see `roost_make_object`).
    @MainActor static func make<Class: NSObject>(_ type: Class.Type) -> Class {
        let metadata = unsafeBitCast(type as AnyClass, to: UnsafeRawPointer.self)
        let object = Unmanaged<NSObject>.fromOpaque(roost_make_object(metadata)).takeRetainedValue()
        return unsafeDowncast(object, to: Class.self)
    }

    /// The class that a property list names: with its module, with Xcode's `$(PRODUCT_MODULE_NAME)` for the app's own,
    /// or without a module, for the app's own or one of this module.
    static func find(_ name: String, appModule: String?) -> AnyClass? {
        var candidates: [String] = []
        let variable = ["$(PRODUCT_MODULE_NAME)", "${PRODUCT_MODULE_NAME}"].first { name.hasPrefix($0 + ".") }
        if let variable {
            if let appModule { candidates.append(appModule + name.dropFirst(variable.count)) }
        } else if name.contains(".") {
            candidates.append(name)
            // What an app knows as UIKit is this module.
            if name.hasPrefix("UIKit.") { candidates.append(kit + name.dropFirst("UIKit".count)) }
        } else {
            if let appModule { candidates.append("\(appModule).\(name)") }
            candidates.append("\(kit).\(name)")
        }
        return candidates.lazy.compactMap { NSClassFromString($0) }.first
    }

    /// The module a class is from.
    static func module(of type: AnyClass) -> String? {
        String(reflecting: type).split(separator: ".").first.map(String.init)
    }

    private static let kit = "RoostKit"
}
