extension PlayPage {
    /// The page's script: it looks up the result of an act, and shows the result. The script contains no rules.
    static let script = #"""
        "use strict";
        (() => {
          const data = JSON.parse(document.getElementById("data").textContent);
          const find = (id) => document.getElementById(id);
          const STATES = ["notRunning", "inactive", "active", "background", "suspended"];
          const PLACES = [[6, 12], [128, 12], [248, 12], [128, 100], [128, 184]];
          const words = Object.fromEntries(data.words);
          const actNumber = Object.fromEntries(data.acts.map((act, number) => [act[0], number]));
          const NO = data.kinds.indexOf("no");
          const still = window.matchMedia("(prefers-reduced-motion: reduce)");
          let language = (navigator.language || "").startsWith("ko") ? 1 : 0;
          let table = null;
          let place = 0;
          // What is still to be shown, and what was shown: as values, so that it can be said again in the other language.
          let pending = [];
          let timer = 0;
          let shown = [];

          const say = (text) => (Array.isArray(text) ? text[language] : text);
          const make = (tag, properties, ...children) => {
            const element = Object.assign(document.createElement(tag), properties);
            element.append(...children);
            return element;
          };
          const svg = (tag, attributes, text) => {
            const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
            for (const name in attributes) element.setAttribute(name, attributes[name]);
            if (text !== undefined) element.textContent = text;
            return element;
          };

          // MARK: Looking up
          // Of each state where each act leads, and what it shows: two numbers an act.
          const unpack = (row, place) => {
            const digits = [...row].map((sign) => data.digits[0].indexOf(sign));
            const edges = [];
            for (let at = 0; at < digits.length; at += 2) {
              const run = (digits[at] % 32) * 64 + digits[at + 1];
              const isStill = digits[at] < 32;
              if (!isStill) at += 2;
              edges.push(isStill ? place : digits[at] * 64 + digits[at + 1], run);
            }
            return edges;
          };
          const graphs = data.graphs.map((rows) => rows.map(unpack));
          const graph = () => graphs[table.graph];
          const next = (act) => graph()[place][2 * act];
          const run = (act) => data.runs[table.runs[graph()[place][2 * act + 1]]].map((number) => data.lines[number]);
          const isRefused = (act) => run(act).some((line) => line[0] === NO);
          const view = () => data.views[table.views[place]];
          const kinds = (generation) => data.tables.filter((one) => one.gen === generation).map((one) => one.app);

          function choose(generation, app) {
            const known = kinds(generation);
            const kind = known.includes(app) ? app : known[0];
            table = data.tables.find((one) => one.gen === generation && one.app === kind);
            begin();
          }

          function begin() {
            stop();
            place = 0;
            shown = [];
            showAll();
          }

          // MARK: Acting
          function perform(act) {
            flush();
            const lines = run(act);
            place = next(act);
            pending = [{ act }, ...lines.map((line) => ({ line }))];
            if (lines.length === 0) pending.push({ nothing: true });
            showControls();
          }

          function flush() {
            stop(false);
            while (pending.length > 0) add(pending.shift());
            light(view()[0]);
          }

          function stop(isForgetting = true) {
            clearTimeout(timer);
            timer = 0;
            if (isForgetting) pending = [];
          }

          function play(acts) {
            if (pending.length === 0) {
              if (acts.length === 0) return light(view()[0]);
              perform(acts.shift());
            }
            const item = pending.shift();
            add(item);
            if (still.matches) return play(acts);
            const isPost = item.line && data.kinds[item.line[0]] === "post";
            timer = setTimeout(() => play(acts), pending.length === 0 ? 650 : isPost ? 60 : 170);
          }

          // MARK: Showing
          function item(entry) {
            if (entry.nothing) return make("li", { className: "why" }, make("span", { className: "what" }, say(words.nothing)));
            if (entry.act !== undefined) {
              return make("li", { className: "act" }, make("span", { className: "what" }, "▸ " + say(data.acts[entry.act][2])));
            }
            const [kind, text, rule, state] = entry.line;
            const name = data.kinds[kind];
            const words_ = say(data.texts[text]);
            const what = make("span", { className: "what" });
            if (name === "call" || name === "post" || (name === "app" && !Array.isArray(data.texts[text]))) {
              what.append(make("code", {}, words_));
            } else if (name === "state") {
              what.append(make("b", {}, words_));
            } else if (name === "other") {
              what.append(say(words.front2) + ": " + words_);
            } else {
              what.append(words_);
            }
            const element = make("li", { className: name }, what);
            if (state !== undefined) element.classList.add(STATES[state]);
            if (rule) element.append(make("span", { className: "rule" }, rule));
            element.dataset.kind = name;
            return element;
          }

          function add(entry) {
            const log = find("log");
            if (shown.length === 0) log.replaceChildren();
            shown.push(entry);
            log.append(item(entry));
            log.scrollTop = log.scrollHeight;
            if (entry.line && entry.line[3] !== undefined) light(entry.line[3]);
          }

          function light(state) {
            document.body.dataset.state = STATES[state];
            for (const node of find("nodes").children) node.classList.toggle("lit", node.dataset.state === STATES[state]);
            find("lit").textContent = say(data.states[state]);
          }

          function showNodes() {
            find("nodes").replaceChildren(...STATES.map((state, number) => {
              const [x, y] = PLACES[number];
              const [english, korean] = data.states[number];
              const node = svg("g", { class: "node " + state, "data-state": state });
              node.append(svg("rect", { x, y, width: 102, height: 46, rx: 12 }));
              node.append(svg("text", { x: x + 51, y: y + (language ? 21 : 28) }, english));
              if (language) node.append(svg("text", { x: x + 51, y: y + 36, class: "gloss" }, korean));
              return node;
            }));
          }

          function showControls() {
            const [, front, bits, task, left, deadline, notification] = view();
            const has = (bit) => (bits & (1 << bit)) !== 0;
            const on = { home: front === 0, app: front === 1, other: front === 2, call: has(1), lock: has(0),
              note: notification === 2 };
            for (const name in on) find("phone").querySelector("." + name).classList.toggle("on", on[name]);
            const facts = [[say(words.screen) + " " + say(words[has(0) ? "isLocked" : "front" + front])]];
            ["", "isInterrupted", "isForceQuit", "isPrewarmed", "isPushHeld"].forEach((name, bit) => {
              if (name && has(bit)) facts.push([say(words[name]), true]);
            });
            if (task) facts.push([say(words["task" + task])]);
            if (notification) facts.push([say(words["notification" + notification])]);
            if (left >= 0) facts.push([say(words.timeLeft) + " " + say(data.texts[left])]);
            find("facts").replaceChildren(...facts.map(([text, isAlarm]) =>
              make("span", { className: isAlarm ? "alarm" : "" }, text)));
            find("next").textContent = deadline < 0 ? say(words.nextNone) : say(words.next) + " " + say(data.texts[deadline]);
            for (const button of find("acts").querySelectorAll("button")) {
              button.classList.toggle("dim", isRefused(actNumber[button.dataset.act]));
            }
          }

          function showAll() {
            document.documentElement.lang = ["en", "ko"][language];
            document.title = say(words.title);
            document.body.dataset.generation = table.gen;
            document.body.dataset.app = table.app;
            for (const element of document.querySelectorAll("[data-word]")) element.textContent = say(words[element.dataset.word]);
            find("languages").replaceChildren(...["English", "한국어"].map((name, number) => {
              const button = make("button", { type: "button", lang: ["en", "ko"][number] }, name);
              button.setAttribute("aria-pressed", String(number === language));
              button.onclick = () => { flush(); language = number; showAll(); };
              return button;
            }));
            const options = (select, values, chosen) => {
              select.replaceChildren(...values.map(([value, name]) => make("option", { value, selected: value === chosen }, say(name))));
            };
            options(find("generation"), data.generations.map((name) => [name, name.replace("iOS", "iOS ")]), table.gen);
            options(find("app"), data.apps.filter(([app]) => kinds(table.gen).includes(app)), table.app);
            find("scenarios").lastElementChild.replaceChildren(...data.scenarios.map(([word, name, about, acts]) => {
              const button = make("button", { type: "button" }, word + ". " + say(name), make("small", {}, say(about)));
              button.dataset.scenario = word;
              button.onclick = () => { begin(); play(acts.map((act) => actNumber[act])); };
              return button;
            }));
            find("acts").replaceChildren(...data.doers.flatMap(([doer, name]) => {
              const buttons = data.acts.filter((act) => act[1] === doer).map(([act, , text]) => {
                const button = make("button", { type: "button" }, say(text));
                button.dataset.act = act;
                button.onclick = () => { perform(actNumber[act]); play([]); };
                return button;
              });
              return [make("h2", {}, say(name)), make("div", { className: "row" }, ...buttons)];
            }));
            showNodes();
            showControls();
            light(view()[0]);
            const log = find("log");
            log.replaceChildren(...(shown.length ? shown.map(item) : [make("li", { className: "empty" }, say(words.empty))]));
            log.scrollTop = log.scrollHeight;
          }

          // MARK: The address
          // #run=launch,home&gen=iOS7&app=delegate&lang=ko
          function follow() {
            const asked = new URLSearchParams(location.hash.slice(1));
            if (asked.has("lang")) language = asked.get("lang") === "ko" ? 1 : 0;
            const generation = data.generations.includes(asked.get("gen")) ? asked.get("gen") : "iOS26";
            choose(generation, asked.get("app"));
            const acts = (asked.get("run") || "").split(",").filter((act) => act in actNumber);
            for (const act of acts) { perform(actNumber[act]); flush(); }
          }

          find("generation").onchange = (event) => choose(event.target.value, table.app);
          find("app").onchange = (event) => choose(table.gen, event.target.value);
          find("again").onclick = begin;
          find("posts").onchange = (event) => find("log").classList.toggle("quiet", !event.target.checked);
          window.onhashchange = follow;
          follow();
        })();
        """#
}
