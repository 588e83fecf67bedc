#ifndef CROOSTMAKE_H
#define CROOSTMAKE_H

/// Makes an object of a class that is known as a value only, by the `init()` that it has from `NSObject` or overrides.
/// `type` is the metadata of a subclass of Foundation's `NSObject`. The object returned is the caller's to release.
///
/// Swift lets a value of a metatype be initialised by `required` initialisers alone, and UIKit's `init()` is not one:
/// were it, no class of an app's that has an initialiser of its own would compile. The compiler keeps `init()` in the
/// class' table of methods all the same; this looks it up there by the runtime's own call, and calls it the way Swift
/// does. A class that has no `init()` ends the process by Swift's own message.
void *roost_make_object(const void *type);

#endif
