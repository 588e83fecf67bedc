extension Timeline {
    /// The drawing of one scenario as an SVG file, with the names of its lanes and its colors.
    public static func image(_ picture: Picture) -> String {
        let layout = TimelineLayout(picture.outcome.story, of: picture.scenario)
        let (parts, lanes, height) = elements(layout)
        let left = 16 + 7 * (lanes.map { name(of: $0.lane).count }.max() ?? 0)
        let names = lanes.map { lane, top in
            "<text class=\"name\" x=\"\(8 - left)\" y=\"\(top + 13)\">\(name(of: lane))</text>"
        }
        let box = (width: left + layout.width, height: height + 8)
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(box.width)" height="\(box.height)" \
            viewBox="\(-left) 0 \(box.width) \(box.height)">
            <title>\(escaped(picture.heading))</title>
            <style>
            \(colors)
            \(shapes)
            .paper { fill: var(--paper); } .name { font-weight: 600; }
            </style>
            <rect class="paper" x="\(-left)" width="\(box.width)" height="\(box.height)"/>
            \((names + parts).joined(separator: "\n"))
            </svg>

            """
    }
}
