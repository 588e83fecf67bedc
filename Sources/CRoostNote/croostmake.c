#include "croostmake.h"

// Foundation's descriptors of `NSObject` and of its allocating `init()`, under their mangled names.
extern const char nsobject __asm__("$s10Foundation8NSObjectCMn");
extern const char nsobject_init __asm__("$s10Foundation8NSObjectCACycfCTq");

extern void *swift_lookUpClassMethod(const void *type, const void *method, const void *descriptor);

typedef __attribute__((swiftcall)) void *(*initializer)(__attribute__((swift_context)) const void *type);

void *roost_make_object(const void *type) {
    initializer init = (initializer)swift_lookUpClassMethod(type, &nsobject_init, &nsobject);
    return init(type);
}
