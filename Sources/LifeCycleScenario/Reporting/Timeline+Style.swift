extension Timeline {
    /// The page's style: light or dark by the reader's setting, and never wider than the screen.
    static let style = [colors, frame, shapes].joined(separator: "\n")

    /// The colors, light or dark by the reader's setting.
    static let colors = """
        :root { --paper: #ffffff; --ink: #1c1c1e; --faint: #6c6c70; --line: #d8d8dc; --active: #b5e8c2; --inactive: #ffe3a3;
          --background: #bcd9ff; --suspended: #dcdce2; --bar: #d9c8f5; --call: #1f5fbf; --doing: #8a4b00; --fatal: #c4221a; }
        @media (prefers-color-scheme: dark) {
          :root { --paper: #161618; --ink: #f2f2f5; --faint: #9d9da5; --line: #3a3a3e; --active: #1f6137; --inactive: #6e5210;
            --background: #1d4a80; --suspended: #45454c; --bar: #51397c; --call: #7fb2ff; --doing: #ffb45c; --fatal: #ff6b61; }
        }
        """

    /// The style of everything around the drawings.
    private static let frame = """
        body { background: var(--paper); color: var(--ink); font: 15px/1.45 system-ui, sans-serif; margin: 1.2rem; }
        h2 { font-size: 1.15rem; margin: 2rem 0 .2rem; } p { margin: .2rem 0 .8rem; max-width: 60rem; }
        .rule { color: var(--faint); font-variant-numeric: tabular-nums; font-weight: 600; }
        .key { font-size: .85rem; } .key .state { white-space: nowrap; } .note { color: var(--faint); margin-left: 1rem; }
        .swatch { display: inline-block; width: .9em; height: .9em; border: 1px solid var(--line); border-radius: 3px;
          vertical-align: -.1em; margin: 0 .3em 0 .8em; }
        .swatch.active { background: var(--active); } .swatch.inactive { background: var(--inactive); }
        .swatch.background { background: var(--background); } .swatch.suspended { background: var(--suspended); }
        .problems { color: var(--fatal); }
        .picture { display: flex; position: relative; border: 1px solid var(--line); border-radius: 8px; overflow: hidden; }
        .names { position: relative; flex: 0 0 7.5rem; border-right: 1px solid var(--line); }
        .names span { position: absolute; left: .6rem; right: .4rem; overflow: hidden; text-overflow: ellipsis;
          white-space: nowrap; font-size: .85rem; font-weight: 600; }
        @media (max-width: 40rem) { .names { flex-basis: 4.5rem; } body { margin: .7rem; } }
        .scroll { overflow-x: auto; overflow-y: hidden; flex: 1 1 auto; min-width: 0; }
        details { margin: .5rem 0; } summary { cursor: pointer; color: var(--faint); font-size: .85rem; }
        table { border-collapse: collapse; font-size: .8rem; } td { padding: .1rem .7rem .1rem 0; white-space: nowrap; }
        td:first-child { font-variant-numeric: tabular-nums; color: var(--faint); text-align: right; }
        """

    /// The style of the drawings.
    static let shapes = """
        svg { display: block; font: 11px system-ui, sans-serif; } svg text { fill: var(--ink); }
        text.tick { fill: var(--faint); font-variant-numeric: tabular-nums; } line.tick { stroke: var(--line); stroke-dasharray: 2 3; }
        .state rect { stroke: var(--line); } .state.not-running rect { fill: transparent; stroke-dasharray: 3 3; }
        .state.active rect { fill: var(--active); } .state.inactive rect { fill: var(--inactive); }
        .state.background rect { fill: var(--background); } .state.suspended rect { fill: var(--suspended); }
        .bar rect { fill: var(--bar); } .mark line { stroke: currentColor; } .mark circle { fill: currentColor; }
        .call { color: var(--call); } .doing { color: var(--doing); } .mark text { fill: currentColor; }
        .reason path { fill: var(--faint); } .fatal circle { fill: var(--paper); stroke: var(--fatal); stroke-width: 1.5; }
        .fatal path { stroke: var(--fatal); stroke-width: 2; fill: none; }
        g:hover > rect, g:hover > circle, g:hover > path { filter: brightness(1.12); stroke: var(--ink); }
        """
}
