"""The possible mutants of the brain, the app's side and the policies, by operator."""

import collections
import itertools
import pathlib
import random
import re

TOP = pathlib.Path(__file__).resolve().parent.parent
POLICY = TOP / "Sources/LifeCycleModel/Limits/Policy.swift"
SURVIVORS = TOP / "Tests/Mutants/survivors.txt"


class Source:
    """A file and its lines. `code` has comments and strings blanked out, so that no mutants are drawn from them."""

    def __init__(self, path):
        self.path = path
        self.lines = (TOP / path).read_text(encoding="utf-8").splitlines()
        self.code = [self.blanked(line) for line in self.lines]

    @staticmethod
    def blanked(line):
        return re.sub(r'"(?:\\.|[^"\\])*"|//.*', lambda match: " " * len(match[0]), line)

    def function(self, number):
        """The name of the function, computed property or type that contains line `number`."""
        indent = len(self.lines[number]) - len(self.lines[number].lstrip())
        member = re.match(r"    (?:\w+(?:\(set\))? )*(?:var|let) (\w+)", self.code[number])
        if member:
            return member[1]
        for line in reversed(self.code[:number + 1]):
            here = len(line) - len(line.lstrip())
            match = re.match(r"\s*(?:\w+ )*(?:func (\w+)|(init)\b|var (\w+)[^={]*\{|(?:struct|enum|extension) (\w+))",
                             line)
            if match and (here < indent or line is self.code[number]):
                return next(name for name in match.groups() if name)
        return self.path.stem


class Mutant:
    """One change: `new` replaces `count` lines of a file, from line `number` on.

    `either` returns the same lines with both variants, and an expression that chooses at run time. So one build contains
    all mutants.
    """

    def __init__(self, operator, source, number, count, new, either):
        self.operator = operator
        self.source = source
        self.number = number
        self.old = source.lines[number:number + count]
        self.new = new
        self.either = either

    @property
    def place(self):
        return f"{self.source.path}, {self.source.function(self.number)}"

    @property
    def span(self):
        return range(self.number, self.number + len(self.old))

    def key(self):
        """Identifies the mutant in the list of survivors, even after the code around it has moved."""
        change = ["-" + line.strip() for line in self.old] + ["+" + line.strip() for line in self.new]
        return self.place, tuple(change)

    def patch(self):
        path, lines, start = self.source.path, self.source.lines, max(0, self.number - 2)
        end = self.number + len(self.old)
        before, after = lines[start:self.number], lines[end:end + 2]
        around = len(before) + len(after)
        return "\n".join([
            f"Operator: {self.operator}", f"Place: {self.place}", "", f"--- a/{path}", f"+++ b/{path}",
            f"@@ -{start + 1},{around + len(self.old)} +{start + 1},{around + len(self.new)} @@",
            *(" " + line for line in before), *("-" + line for line in self.old), *("+" + line for line in self.new),
            *(" " + line for line in after)]) + "\n"


def replaced(operator, source, number, span, new):
    line = source.lines[number]
    # Leave out the parts that both variants share at the ends: the choice must be between expressions, also on the left
    # side of an assignment.
    start, end = span
    index = re.fullmatch(r"(\w+[\[(](?:of: )?)(.+)([\])])", line[start:end])
    chosen = new
    if index and new.startswith(index[1]) and new.endswith(index[3]):
        start, end, chosen = start + len(index[1]), end - 1, new[len(index[1]):-1]
    # Include the whole name, from its first part on.
    first = re.search(r"[\w.]*\.$|$", line[:start]).start()
    head = line[first:start]

    def either(this):
        return [f"{line[:first]}({this} ? {head}{chosen} : {head}{line[start:end]}){line[end:]}"]

    return Mutant(operator, source, number, 1, [line[:span[0]] + new + line[span[1]:]], either)


def constants(source):
    """Adds or subtracts one at an integer, or one second at the use of a limit."""
    for number, line in enumerate(source.code):
        # A reserved capacity changes only the speed.
        if "reserveCapacity(" in line:
            continue
        for match in re.finditer(r"(?<![\w.$-])\d[\d_]*(?![\w.])", line):
            value = int(match[0])
            for new in [value + 1, value - 1] if value else [1]:
                yield replaced("constant ± 1", source, number, match.span(), str(new))
        for match in re.finditer(r"\bpolicy\.(\w+)", line):
            if match[1] in durations():
                for sign in "+-":
                    yield replaced("constant ± 1", source, number, match.span(), f"({match[0]} {sign} .seconds(1))")


def guards(source):
    """Negates a condition of a guard, if, while or where."""
    for number, line in enumerate(source.code):
        match = re.match(r"\s*(?:\} else )?(?:guard|if|while) (.+?)(?: else(?: \{.*)?| \{.*)?$", line)
        if match:
            for start, end in clauses(line, *match.span(1)):
                clause = source.lines[number][start:end]
                if re.match(r"(?:let|var|case) ", clause) or clause.count("(") != clause.count(")"):
                    continue
                yield replaced("guard negated", source, number, (start, end), negated(clause))
        match = re.search(r"\bwhere (.+?)(?=:| \{|,|$)", line)
        if match and match[1].count("(") == match[1].count(")") and "T" != match[1][:1]:
            yield replaced("guard negated", source, number, match.span(1), negated(match[1]))


def clauses(line, start, end):
    """Splits a list of conditions at its commas outside of brackets."""
    depth, first = 0, start
    for index in range(start, end):
        depth += (line[index] in "([{") - (line[index] in ")]}")
        if line[index] == "," and depth == 0:
            yield first, index
            first = index + 2
    if line[first:end].strip():
        yield first, end


def negated(clause):
    if re.fullmatch(r"![\w.\[\]]+(?:\([^()]*\))?", clause):
        return clause[1:]
    return f"!{clause}" if re.fullmatch(r"[\w.\[\]]+(?:\([^()]*\))?", clause) else f"!({clause})"


def statement(source, number, start):
    """The number of lines of the statement that starts at `start`, and its end on the last line; None if unclear."""
    depth = 0
    for count, line in enumerate(source.code[number:number + 8]):
        for index in range(start if count == 0 else 0, len(line)):
            depth += (line[index] in "([") - (line[index] in ")]")
            if line[index] == ")" and depth == 0:
                return count + 1, index + 1
    return None


def without(operator, source, number, start, end_count, end):
    """Removes a statement with its lines. For an inline statement, the braces or the case stay."""
    before = source.lines[number][:start]
    after = source.lines[number + end_count - 1][end:]
    above = next((line.strip() for line in reversed(source.code[:number]) if line.strip()), "")
    below = next((line for line in source.code[number + end_count:] if line.strip()), "")
    if before.strip() == "return":
        new = [before.rstrip() + after]
    elif before.strip() or after.strip():
        new = [before.rstrip() + (" break" if before.rstrip().endswith(":") else "") + after]
        if new[0].strip().endswith("{ }"):
            new = [new[0].replace("{ }", "{}")]
    elif above.endswith(":") and re.match(r"\s*(?:case\b|\}|$)", below):
        new = [before + "break"]
    else:
        new = []
    def either(this):
        lines = source.lines[number:number + end_count]
        rest = lines[-1][end:]
        returns = before.endswith("return ")
        lines[-1] = lines[-1][:end] + ("" if returns else " }") + rest
        first = f"if {this} {{ return }}; return " if returns else f"if !{this} {{ "
        lines[0] = before.removesuffix("return ") + first + lines[0][start:]
        return lines

    return Mutant(operator, source, number, end_count, new, either)


def effects(source):
    """Drops an effect, signal or step."""
    for number, line in enumerate(source.code):
        match = re.search(r"\b(?:effects|signals|steps|next)\.append\(", line)
        if match and (found := statement(source, number, match.start())):
            yield without("effect dropped", source, number, match.start(), *found)


WRONG = [
    (r"\bapps\[slot\]", ["apps[0]", "apps[apps.count - 1]"]),
    (r"\bids\[slot\]", ["ids[0]"]),
    (r"\bslot\(of: (?:id|app|launch\.app)\)", ["slot(of: foreground.app ?? AppID(1))", "apps.indices.first"]),
    (r"(?<=of: )launch(?=[,)])", ["LaunchID(app: launch.app, number: launch.number - 1)"]),
    (r"(?<=launch: )launch(?=[,)])", ["LaunchID(app: launch.app, number: launch.number - 1)",
                                      "LaunchID(app: AppID(1), number: launch.number)"]),
    (r"(?<=\()launch(?=[,)])", ["LaunchID(app: launch.app, number: launch.number + 1)",
                                "LaunchID(app: AppID(1), number: launch.number)"]),
    (r"(?<=[(:] )app(?=[,)])|(?<=by: )app(?=[,)])|(?<=\()app(?=[,)])", ["AppID(1)", "foreground.app ?? app"]),
    (r"\b(?:holder|self\.app) == app\b", ["waiting.first == app", "holder == self.app"]),
    (r"\bholder = (?:app|next)\b", ["holder = self.app"]),
    (r"(?<=\()(?:task\.id|id)(?=[,)])", ["TaskID(1)"]),
    (r"(?<=index\(of: )id(?=\))", ["TaskID(1)"]),
    (r"\blargest\.slot\b|\bearliest\.slot\b", ["0"]),
    (r"(?<=\.finish\()id\b", ["lastCallback"]),
]


def wrong_apps(source):
    """Replaces an app, launch or task by another one."""
    for number, line in enumerate(source.code):
        if re.search(r"\bfunc\b|\bcase \.?\w+\(", line) and "apps[slot]" not in line:
            continue
        for pattern, news in WRONG:
            for match in re.finditer(pattern, line):
                for new in news:
                    yield replaced("wrong app", source, number, match.span(), new)


def durations():
    return re.findall(r"public var (\w+)(?: = Nanoseconds\.|: Nanoseconds\n)", POLICY.read_text(encoding="utf-8"))


def switches():
    return re.findall(r"public var (\w+) = (?:true|false)", POLICY.read_text(encoding="utf-8"))


def limits(source):
    """Uses another limit or choice of the policy, of the same kind."""
    for number, line in enumerate(source.code):
        for match in re.finditer(r"\b(?:policy|context)\.(\w+)", line):
            for kind in [durations(), switches(), ["openFiles", "fileSize", "processes", "containerSize"]]:
                if match[1] in kind and line[match.start():].startswith("policy"):
                    for other in kind:
                        if other != match[1]:
                            yield replaced("limit swapped", source, number, match.span(1), other)
        for match in re.finditer(r"\.(iOS4|iOS7|iOS13|iOS26)\b", line):
            yield replaced("limit swapped", source, number, match.span(1), "iOS7" if match[1] != "iOS7" else "iOS13")


RELEASES = [
    r"[\w.\[\]]+ = nil$", r"[\w.\[\]]+ = \[\]$", r"[\w.\[\]]+ = false$", r"self = \w+\(\)$", r"[\w.\[\]]+ = \w+\(\)$",
    r"state = \.(?:held|idle.*|notRunning)$", r"clock = \.(?:dormant|ready)$", r"[\w.\[\]]+ = \.none$", r"\w+ -= 1$",
    r"[\w.\[\]]+\.(?:removeAll|removeFirst|remove|subtract|removeSlot)\(", r"[\w.\[\]]+\.(?:launchEnd(?:ed|ing)|"
    r"launchBegan|tasksForgotten|stayClosed|resumed|suspended|leftBackground|left|foundFrozen|released)\(",
    r"(?:leftFront|leftSwitcher|giveUpActivation)\(", r"[\w.]+ = \.zero$",
    r"(?:signals|effects|next)\.append\(\.(?:released|activationReleased|thaw|lastReleased)\b",
]


def releases(source):
    """Leaves out a statement that releases or resets something."""
    for number, line in enumerate(source.code):
        for pattern in RELEASES:
            match = re.search(r"(?:(?<=^)|(?<=\{ )|(?<=: )|(?<=    ))(?:_ = )?(?=" + pattern.rstrip("$") + ")", line)
            if not match or re.match(r"\s*(?:\w+(?:\(set\))? )*(?:(?:var|let|func|mutating)\b|_ \w+:)", line):
                continue
            start = match.start()
            if pattern.endswith("$"):
                end = re.match(r"[^}]*?(?= \}|$)", line[start:]).end() + start
                yield without("release forgotten", source, number, start, 1, end)
            elif found := statement(source, number, start):
                yield without("release forgotten", source, number, start, *found)


OPERATORS = [constants, guards, effects, wrong_apps, limits, releases]


def sources():
    """The files from which mutants are drawn."""
    paths = [path for module in ["LifeCyclePolicy", "AppCore"] for path in (TOP / "Sources" / module).rglob("*.swift")]
    return [Source(path.relative_to(TOP)) for path in sorted([*paths, POLICY])]


def survivors():
    """The keys of mutants that are known to behave like the original."""
    entries = re.findall(r"^Place: (.+)\n((?:[-+].*\n)+)Survives: ", SURVIVORS.read_text(encoding="utf-8"), re.M)
    return {(place, tuple(line[0] + line[1:].strip() for line in change.splitlines())) for place, change in entries}


class Drawing:
    """Draws mutants. The operators take turns, and files with few mutants for their length come first."""

    def __init__(self, files, seed):
        self.files = files
        dice = random.Random(seed)
        known = survivors()
        self.pools = []
        for operator in OPERATORS:
            lines = collections.defaultdict(list)
            for mutant in (mutant for source in files for mutant in operator(source)):
                if mutant.new != mutant.old and mutant.key() not in known:
                    lines[mutant.source, mutant.number].append(mutant)
            # Choose one variant per line. Otherwise, a line with many variants would always be drawn.
            self.pools.append([dice.choice(variants) for variants in lines.values()])
            dice.shuffle(self.pools[-1])
        dice.shuffle(self.pools)
        self.drawn = []

    def draw(self, count):
        """Draws until there are `count` mutants, or until none are left."""
        per_file = collections.Counter(mutant.source for mutant in self.drawn)
        used = {(mutant.source, number) for mutant in self.drawn for number in mutant.span}
        for pool in itertools.cycle(self.pools):
            if len(self.drawn) >= count or not any(self.pools):
                return
            while pool:
                mutant = min(pool[:40], key=lambda mutant: per_file[mutant.source] / len(mutant.source.lines))
                pool.remove(mutant)
                if used.isdisjoint((mutant.source, number) for number in mutant.span):
                    used.update((mutant.source, number) for number in mutant.span)
                    per_file[mutant.source] += 1
                    self.drawn.append(mutant)
                    break

    def drop(self, mutants):
        """Discards mutants that do not compile."""
        self.drawn = [mutant for mutant in self.drawn if mutant not in mutants]
