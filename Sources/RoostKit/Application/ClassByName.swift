import CRoostNote
import Foundation

/// Lookup and creation of classes known only by a value or a name, such as delegate classes.
enum ClassByName {
    /// A new object, created with the class's `init()` (see `roost_make_object`).
    @MainActor static func make<Class: NSObject>(_ type: Class.Type) -> Class {
        let metadata = unsafeBitCast(type as AnyClass, to: UnsafeRawPointer.self)
        let object = Unmanaged<NSObject>.fromOpaque(roost_make_object(metadata)).takeRetainedValue()
        return unsafeDowncast(object, to: Class.self)
    }

    /// The class that a property list names; nil if there is none.
    ///
    /// The name may include its module, or Xcode's `$(PRODUCT_MODULE_NAME)` for the app's own module. A name without a
    /// module is looked up first in the app's module, then in RoostKit.
    static func find(_ name: String, appModule: String?) -> AnyClass? {
        var candidates: [String] = []
        let variable = ["$(PRODUCT_MODULE_NAME)", "${PRODUCT_MODULE_NAME}"].first { name.hasPrefix($0 + ".") }
        if let variable {
            if let appModule { candidates.append(appModule + name.dropFirst(variable.count)) }
        } else if name.contains(".") {
            candidates.append(name)
            // An app knows this module as UIKit.
            if name.hasPrefix("UIKit.") { candidates.append(kit + name.dropFirst("UIKit".count)) }
        } else {
            if let appModule { candidates.append("\(appModule).\(name)") }
            candidates.append("\(kit).\(name)")
        }
        return candidates.lazy.compactMap { NSClassFromString($0) }.first
    }

    /// The name of the module that declares a class.
    static func module(of type: AnyClass) -> String? {
        String(reflecting: type).split(separator: ".").first.map(String.init)
    }

    private static let kit = "RoostKit"
}
