import CFNetwork

/// Another's: it is passed over.
public struct Alamo {}
