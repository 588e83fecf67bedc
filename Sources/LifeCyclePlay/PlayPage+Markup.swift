extension PlayPage {
    /// The page's skeleton, with placeholders in comments.
    static let markup = """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>Roost: the life of an app</title>
        <style>
        /*style*/
        </style>
        </head>
        <body>
        <header>
        <div class="top"><h1 data-word="title"></h1><div id="languages" role="group" aria-label="Language · 언어"></div></div>
        <p data-word="about"></p>
        <div class="choices">
        <label><span data-word="generation"></span><select id="generation"></select></label>
        <label><span data-word="app"></span><select id="app"></select></label>
        </div>
        </header>
        <main>
        <div id="top">
        <section id="stage">
        <svg id="states" role="img" viewBox="0 0 360 236" aria-labelledby="lit">
        <defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" markerHeight="6" orient="auto-start-reverse">
        <path d="M0 0L8 4L0 8z"/></marker></defs>
        <rect class="ground" x="120" y="2" width="238" height="66" rx="14"/>
        <g class="ways">
        <path d="M108 36H126" marker-end="url(#tip)"/>
        <path d="M230 36H246" marker-start="url(#tip)" marker-end="url(#tip)"/>
        <path d="M179 62V98" marker-start="url(#tip)" marker-end="url(#tip)"/>
        <path d="M179 146V182" marker-start="url(#tip)" marker-end="url(#tip)"/>
        <path d="M70 62V122H126" marker-end="url(#tip)"/>
        <path class="end" d="M128 206H38V64" marker-end="url(#tip)"/>
        </g>
        <g id="nodes"></g>
        <g id="phone" transform="translate(272 82)">
        <rect class="case" width="64" height="134" rx="11"/><rect class="glass" x="4" y="9" width="56" height="116" rx="6"/>
        <g class="home"><rect x="10" y="18" width="11" height="11" rx="3" class="mine"/><rect x="26" y="18" width="11" height="11" rx="3"/>
        <rect x="42" y="18" width="11" height="11" rx="3"/><rect x="10" y="35" width="11" height="11" rx="3"/>
        <rect x="26" y="35" width="11" height="11" rx="3"/><rect x="42" y="35" width="11" height="11" rx="3"/></g>
        <g class="app"><rect x="4" y="9" width="56" height="116" rx="6"/><path d="M12 26h30M12 38h40M12 50h36M12 62h22"/></g>
        <g class="other"><rect x="4" y="9" width="56" height="116" rx="6"/><circle cx="32" cy="58" r="16"/></g>
        <g class="call"><rect x="7" y="14" width="50" height="24" rx="6"/><circle cx="38" cy="26" r="6" class="no"/>
        <circle cx="50" cy="26" r="6" class="yes"/><path d="M12 26h14"/></g>
        <g class="lock"><rect x="4" y="9" width="56" height="116" rx="6"/><rect x="23" y="52" width="18" height="15" rx="3" class="body"/>
        <path d="M26.500 52v-5a5.500 5.500 0 0 1 11 0v5"/></g>
        <g class="note"><rect x="7" y="76" width="50" height="22" rx="6"/><rect x="12" y="82" width="10" height="10" rx="3" class="mine"/>
        <path d="M28 84h22M28 90h14"/></g>
        </g>
        </svg>
        <p id="lit" class="hidden" aria-live="polite"></p>
        <p id="facts"></p>
        <p id="next"></p>
        </section>
        <section id="story">
        <div class="bar"><h2 data-word="log"></h2>
        <label class="check"><input type="checkbox" id="posts" checked><span data-word="notifications"></span></label>
        <button id="again" type="button" data-word="again"></button></div>
        <ol id="log" aria-live="polite" tabindex="0"></ol>
        </section>
        </div>
        <section id="controls">
        <div id="scenarios"><h2 data-word="scenarios"></h2><div class="row"></div></div>
        <div id="acts"></div>
        </section>
        </main>
        <footer><p data-word="note"></p></footer>
        <script type="application/json" id="data">
        /*data*/
        </script>
        <script>
        /*script*/
        </script>
        </body>
        </html>

        """
}
