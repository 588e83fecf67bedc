import Foundation

/// An app's folder for a test, valid until the test damages it.
struct SampleBundle {
    let folder: TemporaryFolder
    let name: String

    var path: String { folder(name) }

    init(
        in folder: TemporaryFolder, name: String = "Notes.app", identifier: String = "com.example.Notes",
        executable: [UInt8] = Array("#!/bin/sh\n".utf8), extra: String = ""
    ) throws {
        self.folder = folder
        self.name = name
        try folder.write(name + "/Notes", executable, mode: 0o755)
        try plist(
            """
            <key>CFBundleIdentifier</key><string>\(identifier)</string>
            <key>CFBundleExecutable</key><string>Notes</string>\(extra)
            """)
    }

    /// Writes `Info.plist` with `body` in its dictionary.
    func plist(_ body: String) throws {
        try folder.write(name + "/Info.plist", "<plist version=\"1.0\"><dict>\(body)</dict></plist>".utf8)
    }

    func write(_ file: String, _ text: String = "", mode: Int = 0o644) throws {
        try folder.write(name + "/" + file, text.utf8, mode: mode)
    }

    func remove(_ file: String) throws { try FileManager.default.removeItem(atPath: path + "/" + file) }

    /// Makes a symbolic link.
    func link(_ file: String, to destination: String) throws {
        try? remove(file)
        try FileManager.default.createSymbolicLink(atPath: path + "/" + file, withDestinationPath: destination)
    }
}

/// Builds a small ELF file with notes.
enum SampleELF {
    static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian, Array.init)
    }

    /// A note with this owner and content.
    static func note(_ owner: String, content: [UInt8] = [1, 2, 3], align: Int = 4) -> [UInt8] {
        let name = Array(owner.utf8) + [0]
        var note = bytes(UInt32(name.count)) + bytes(UInt32(content.count)) + bytes(UInt32(1)) + name
        while note.count % align != 0 { note.append(0) }
        note += content
        while note.count % align != 0 { note.append(0) }
        return note
    }

    /// A file whose notes lie in a segment (PT_NOTE), or in a section (SHT_NOTE).
    static func file(_ notes: [UInt8], inSegment: Bool = true, align: UInt64 = 4) -> [UInt8] {
        var file: [UInt8] = [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0] + [UInt8](repeating: 0, count: 8)
        file += bytes(UInt16(2)) + bytes(UInt16(62)) + bytes(UInt32(1)) + bytes(UInt64(0))
        file += bytes(UInt64(inSegment ? 64 : 0)) + bytes(UInt64(inSegment ? 0 : 64)) + bytes(UInt32(0))
        file += bytes(UInt16(64)) + bytes(UInt16(56)) + bytes(UInt16(inSegment ? 2 : 0))
        file += bytes(UInt16(64)) + bytes(UInt16(inSegment ? 0 : 2)) + bytes(UInt16(0))
        let start = UInt64(64 + 2 * (inSegment ? 56 : 64))
        let size = UInt64(notes.count)
        if inSegment {
            file += bytes(UInt32(1)) + [UInt8](repeating: 0, count: 52)
            file += bytes(UInt32(4)) + bytes(UInt32(4)) + bytes(start) + bytes(start) + bytes(start)
            file += bytes(size) + bytes(size) + bytes(align)
        } else {
            file += [UInt8](repeating: 0, count: 64)
            file += bytes(UInt32(1)) + bytes(UInt32(7)) + bytes(UInt64(2)) + bytes(start) + bytes(start)
            file += bytes(size) + bytes(UInt64(0)) + bytes(align) + bytes(UInt64(0))
        }
        return file + notes
    }
}
