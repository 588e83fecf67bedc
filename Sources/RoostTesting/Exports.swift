// The types that tests use: states, callbacks, reasons, limits.
@_exported public import AppCore
@_exported public import LifeCycleModel
