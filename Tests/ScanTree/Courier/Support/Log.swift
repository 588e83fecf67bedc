import Foundation

#if canImport(os)
    import os
#endif

/// "UILabel" in a text, and UIImage in a comment, are not uses of the names.
func log(_ text: @autoclosure () -> String) {
    #if canImport(os)
        os_log("%@", text())
    #else
        print("UILabel says:", text())
    #endif
}
