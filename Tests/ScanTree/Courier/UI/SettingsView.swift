import SwiftUI

struct SettingsView: View {
    @State private var isOn = true

    var body: some View {
        Toggle("Sync in the background", isOn: $isOn).padding()
    }
}
