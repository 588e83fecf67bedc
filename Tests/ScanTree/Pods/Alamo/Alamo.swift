import CFNetwork

/// A library of others, which the scan passes over.
public struct Alamo {}
