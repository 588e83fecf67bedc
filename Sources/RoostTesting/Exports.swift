// The words a test uses: states, callbacks, reasons, limits.
@_exported public import AppCore
@_exported public import LifeCycleModel
