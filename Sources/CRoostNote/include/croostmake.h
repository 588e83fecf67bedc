#ifndef CROOSTMAKE_H
#define CROOSTMAKE_H

/// Creates an object of a class known only as a value, with the `init()` that the class inherits or overrides. `type`
/// is the metadata of a subclass of Foundation's `NSObject`. The caller must release the returned object.
///
/// Swift lets a metatype value call only `required` initializers, and UIKit's `init()` is not `required`. If it were,
/// an app's class with its own initializer would not compile. But the compiler still puts `init()` into the class's
/// method table. This function finds it there with a function of the Swift runtime, and calls it as Swift would. For a
/// class without `init()`, the process ends with Swift's own message.
void *roost_make_object(const void *type);

#endif
