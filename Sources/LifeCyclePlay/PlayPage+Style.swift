extension PlayPage {
    /// The page's style: light or dark by the reader's setting, designed for phones first.
    static let style = """
        :root { --paper: #f6f6f8; --card: #ffffff; --ink: #1c1c1e; --faint: #66666c; --line: #d6d6dc; --call: #1f5fbf;
          --active: #27863f; --inactive: #a86f00; --background: #2a6fcc; --suspended: #6b6b77; --running: #b3423a;
          --no: #a14a00; --button: #ffffff; --ground: #e9f2ea; }
        @media (prefers-color-scheme: dark) { :root { --paper: #121214; --card: #1c1c1f; --ink: #f2f2f5; --faint: #a2a2aa;
          --line: #3a3a40; --call: #86b6ff; --no: #ffb067; --button: #29292d; --ground: #1c2a20; } }
        * { box-sizing: border-box; }
        body { margin: 0 auto; padding: .8rem; max-width: 72rem; background: var(--paper); color: var(--ink);
          font: 15px/1.42 system-ui, -apple-system, "Noto Sans", "Noto Sans KR", "Noto Sans CJK KR", sans-serif;
          word-break: keep-all; overflow-wrap: anywhere; }
        h1 { font-size: 1.2rem; margin: 0; } h2 { font-size: .86rem; margin: 0; color: var(--faint); font-weight: 600; }
        header p { margin: .3rem 0 .6rem; color: var(--faint); font-size: .88rem; max-width: 60rem; }
        .top { display: flex; align-items: center; gap: .6rem; justify-content: space-between; }
        .choices { display: flex; flex-wrap: wrap; gap: .5rem .9rem; margin-bottom: .7rem; }
        .choices label { display: flex; align-items: center; gap: .4rem; font-size: .86rem; min-width: 0; }
        .choices span { color: var(--faint); white-space: nowrap; }
        select, button { font: inherit; color: inherit; background: var(--button); border: 1px solid var(--line);
          border-radius: 9px; padding: .38rem .65rem; min-height: 2.3rem; min-width: 0; max-width: 100%; }
        select { max-width: 15rem; }
        button { cursor: pointer; } button:active { transform: scale(.97); }
        button:focus-visible, select:focus-visible, #log:focus-visible { outline: 2px solid var(--call); outline-offset: 1px; }
        #languages { display: flex; flex: none; } #languages button { border-radius: 0; padding: .2rem .6rem; min-height: 2rem; }
        #languages button:first-child { border-radius: 9px 0 0 9px; } #languages button:last-child { border-radius: 0 9px 9px 0; border-left: 0; }
        [aria-pressed=true] { background: var(--ink); color: var(--paper); }
        #stage, #story, #controls { background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: .7rem; }
        #top { display: grid; gap: .6rem; } #controls { margin-top: .6rem; }
        svg { display: block; width: 100%; max-width: 22rem; margin: 0 auto; }
        .ground { fill: var(--ground); } .ways path { fill: none; stroke: var(--faint); stroke-width: 1.3; }
        .ways .end { stroke-dasharray: 3 3; } marker path { fill: var(--faint); }
        .node rect { fill: var(--card); stroke: var(--line); stroke-width: 1.5; transition: fill .15s, stroke .15s; }
        .node text { fill: var(--faint); text-anchor: middle; font-size: 13px; font-weight: 600; }
        .node .gloss { font-size: 10.5px; font-weight: 400; }
        .node.lit rect { fill: var(--hue); stroke: var(--hue); } .node.lit text { fill: #ffffff; }
        .notRunning { --hue: var(--running); } .inactive { --hue: var(--inactive); } .active { --hue: var(--active); }
        .background { --hue: var(--background); } .suspended { --hue: var(--suspended); }
        #phone .case { fill: var(--ink); } #phone .glass { fill: var(--paper); } #phone .home rect { fill: var(--line); }
        #phone .home .mine { fill: var(--call); } #phone .app > rect { fill: var(--call); }
        #phone .app path, #phone .call path { stroke: #ffffff; stroke-width: 3; stroke-linecap: round; opacity: .75; }
        #phone .other > rect { fill: var(--suspended); } #phone .other circle { fill: #ffffff; opacity: .5; }
        #phone .call > rect { fill: #2b2b30; } #phone .call .no { fill: #e5484d; } #phone .call .yes { fill: #34a853; }
        #phone .lock > rect { fill: #2b2b30; } #phone .lock .body { fill: #ffffff; } #phone .lock path { fill: none; stroke: #ffffff; stroke-width: 2.500; }
        #phone .note > rect { fill: #2b2b30; } #phone .note .mine { fill: var(--call); }
        #phone .note path { stroke: #ffffff; stroke-width: 2; stroke-linecap: round; opacity: .75; }
        #phone g { display: none; } #phone g.on { display: inline; }
        #facts { margin: .4rem 0 0; display: flex; flex-wrap: wrap; gap: .3rem; min-height: 1.7rem; justify-content: center; }
        #facts span { border: 1px solid var(--line); border-radius: 99px; padding: .06rem .6rem; font-size: .8rem; }
        #facts .alarm { border-color: var(--no); color: var(--no); }
        #next { margin: .25rem 0 0; text-align: center; font-size: .82rem; color: var(--faint); min-height: 1.2rem; }
        .row { display: flex; flex-wrap: wrap; gap: .4rem; margin: .3rem 0 .75rem; }
        #scenarios .row { display: grid; grid-template-columns: 1fr 1fr; }
        #scenarios button { text-align: left; line-height: 1.25; padding: .4rem .6rem; border-color: var(--call); }
        #scenarios small { display: block; color: var(--faint); font-size: .76rem; }
        #acts .row { margin-bottom: .6rem; } #acts .row:last-child { margin-bottom: 0; }
        button.dim { color: var(--faint); background: transparent; border-style: dashed; opacity: .72; }
        .bar { display: flex; align-items: center; gap: .7rem; margin-bottom: .4rem; } .bar h2 { flex: 1; }
        .check { display: flex; align-items: center; gap: .3rem; font-size: .8rem; color: var(--faint); white-space: nowrap; }
        .bar button { min-height: 2rem; padding: .15rem .6rem; font-size: .84rem; white-space: nowrap; }
        #log { list-style: none; margin: 0; padding: 0; height: 10rem; overflow-y: auto; font-size: .86rem; }
        #log li { display: flex; gap: .5rem; align-items: baseline; padding: .14rem .2rem; }
        #log .act { font-weight: 700; border-top: 1px solid var(--line); margin-top: .35rem; padding-top: .4rem; }
        #log .act:first-child { border-top: 0; margin-top: 0; }
        #log .what { flex: 1; min-width: 0; } #log code { font: 600 .95em ui-monospace, "DejaVu Sans Mono", monospace; color: var(--call); }
        #log .post { padding-left: 1.1rem; } #log .post code { color: var(--faint); font-weight: 400; font-size: .88em; }
        #log .app code { color: var(--ink); } #log .why, #log .time, #log .other { color: var(--faint); } #log .no { color: var(--no); }
        #log .other .what { padding-left: 1.1rem; font-size: .92em; }
        #log .rule { flex: none; color: var(--faint); font-size: .76rem; font-weight: 600; font-variant-numeric: tabular-nums;
          border: 1px solid var(--line); border-radius: 5px; padding: 0 .32rem; }
        #log .state .what b { background: var(--hue); color: #ffffff; border-radius: 6px; padding: .05rem .45rem; font-weight: 600; }
        #log.quiet .post { display: none; } #log .empty { color: var(--faint); }
        .hidden { position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%); }
        footer p { color: var(--faint); font-size: .8rem; max-width: 60rem; }
        @media (max-width: 55.9rem) and (min-height: 43rem) { #top { position: sticky; top: 0; z-index: 1; background: var(--paper);
          margin: 0 -.8rem; padding: .4rem .8rem .5rem; } }
        @media (min-width: 56rem) { main { display: grid; grid-template: "stage story" auto "controls story" 1fr / 27rem 1fr; gap: .8rem; }
          #top { display: contents; } #stage { grid-area: stage; } #controls { grid-area: controls; margin: 0; } svg { max-width: 25rem; }
          #story { grid-area: story; display: flex; flex-direction: column; } #log { flex: 1 1 0; height: auto; min-height: 30rem; } }
        @media (max-width: 30rem) { h1 { font-size: 1.02rem; } header p { font-size: .8rem; } .choices { flex-wrap: nowrap; gap: .6rem; }
          .choices label:last-child { flex: 1; } .choices label:last-child select { flex: 1; } .bar { gap: .5rem; }
          #log { font-size: .8rem; } .bar h2 { font-size: .8rem; } }
        @media (prefers-reduced-motion: reduce) { * { transition: none !important; } }
        """
}
