extension RoostKitTable {
    static let fetch = """
        UIApplication = backgroundFetchIntervalMinimum backgroundFetchIntervalNever
          setMinimumBackgroundFetchInterval
        UIBackgroundFetchResult = failed newData noData
        """
}
