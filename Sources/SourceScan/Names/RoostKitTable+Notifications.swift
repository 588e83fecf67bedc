extension RoostKitTable {
    static let notifications = """
        RemoteNotificationError = noToken
        UIApplication = applicationIconBadgeNumber cancelAllLocalNotifications cancelLocalNotification
          currentUserNotificationSettings isRegisteredForRemoteNotifications presentLocalNotificationNow
          registerForRemoteNotifications registerUserNotificationSettings scheduleLocalNotification
          scheduledLocalNotifications unregisterForRemoteNotifications
        UILocalNotification = alertAction alertBody alertLaunchImage alertTitle applicationIconBadgeNumber
          category copy fireDate hasAction hash isEqual repeatCalendar repeatInterval soundName timeZone
          userInfo
        UIUserNotificationCategory = identifier
        UIUserNotificationSettings = categories types
        UIUserNotificationType = alert badge rawValue sound
        """
}
