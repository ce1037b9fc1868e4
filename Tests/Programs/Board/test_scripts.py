"""The scripts as they are served."""

import re

from kit import ROOT
from kit.wait import equal, eventually

SOURCES = ROOT / "Sources/Web/Board/Page"

WORD = re.compile(r"[\w$#]+")
MARK = re.compile(r">>>=|\.\.\.|===|!==|\*\*=|<<=|>>=|>>>|&&=|\|\|=|\?\?=|=>|==|!=|<=|>=|&&|\|\||\?\?|\?\.|\+\+|--|\+=|-=|\*=|/=|%=|&=|\|="
                  r"|\^=|<<|>>|\*\*|.", re.S)
SPACE = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/)+", re.S)
STRING = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'')
REGEX = re.compile(r"/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\[\n])+/\w*")
# A slash behind one of these divides; behind anything else it begins a regular expression.
VALUE = re.compile(r'[\w$)\]}"\'`]')


def tokens(text):
    """The tokens of a script. An end of a line is one where JavaScript may take it for the end of a statement;
    one that ends with a brace needs none, or has its semicolon."""
    found, place, braces = [], 0, []

    def template(place):
        """Reads the rest of a template from behind its backquote or brace."""
        begin = place
        while True:
            if text[place] == "\\":
                place += 2
            elif text[place] == "`":
                found.append(text[begin - 1:place + 1])
                return place + 1
            elif text.startswith("${", place):
                found.append(text[begin - 1:place + 2])
                braces.append("$")
                return place + 2
            else:
                place += 1

    while place < len(text):
        space = SPACE.match(text, place)
        if space:
            if "\n" in space[0] and found and found[-1] not in (";", ",", "{", "}", "(", "[", "\n"):
                found.append("\n")
            place = space.end()
            continue
        last = next((one for one in reversed(found) if one != "\n"), "")
        mark = text[place]
        if mark == "`" or mark == "}" and braces and braces[-1] == "$":
            if mark == "}":
                braces.pop()
            place = template(place + 1)
            continue
        divides = last and VALUE.match(last[-1]) and last not in ("return", "typeof", "case")
        one = STRING.match(text, place) or WORD.match(text, place) or (None if divides else REGEX.match(text, place)) or MARK.match(text, place)
        found.append(one[0])
        if one[0] == "{":
            braces.append("{")
        elif one[0] == "}":
            braces.pop()
        place = one.end()
    while found and found[-1] == "\n":
        found.pop()
    # The last semicolon of a block ends nothing.
    return [one for one, following in zip(found, found[1:] + [""]) if not (one == ";" and following == "}")]


def test_tokens(stage):
    """The lexer of this file tells texts, templates and regular expressions from marks."""
    cases = {'a = "x { y" + `b ${c + {d: "}"}.d} e`;': ['a', '=', '"x { y"', '+', '`b ${', 'c', '+', '{', 'd', ':', '"}"', '}', '.', 'd', '} e`', ';'],
             "x = a / b;\n// it's\ny = /[/ ]\\/ ?/.test(z)": ['x', '=', 'a', '/', 'b', ';', 'y', '=', '/[/ ]\\/ ?/', '.', 'test', '(', 'z', ')'],
             "a\nb": ["a", "\n", "b"], "{f(a,\nb);}": ["{", "f", "(", "a", ",", "b", ")", "}"], "a + +b": ["a", "+", "+", "b"], "a++b": ["a", "++", "b"]}
    for text, expected in cases.items():
        equal(tokens(text), expected, f"the tokens of {text!r}")


def declared(text):
    """The names that a module declares for all of its functions."""
    names = []
    for line in text.splitlines():
        found = re.match(r"(?:export )?(?:async )?(?:function|const|let) (.*)", line)
        if found:
            # Values in brackets and texts declare nothing.
            plain = STRING.sub("", found[1])
            while plain != (shorter := re.sub(r"\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\}", "", plain)):
                plain = shorter
            names += re.findall(r"(?:^|, )(\w+)(?=\s*(?:= |;|\{|$))", plain)
    return names


def test_scripts_are_their_sources(stage):
    """The three scripts that the board serves have the tokens of all modules, in their order: they are shorter, and change no text,
    no template and no statement. No two modules declare one name."""
    sources = {path.stem: path.read_text() for path in SOURCES.glob("*.js")}
    equal(len(sources) > 20, True, f"the modules: {sorted(sources)}")
    places = {}
    for name, text in sources.items():
        for one in declared(text):
            places.setdefault(one, []).append(name)
    equal("make" in places and "board" in places, True, "whether names are found")
    equal({name: where for name, where in places.items() if len(where) > 1}, {}, "names of several modules")
    first, *others = (stage.ask(path).said for path in ["/board.js", "/later.js", "/past.js"])
    first, exported = re.fullmatch(r"(.*)\nexport\{([\w,]+)\}", first, re.S).groups()
    imported, others = zip(*(re.fullmatch(r'import\{([\w,]+)\}from"/board.js";\n(.*)', one, re.S).groups() for one in others), strict=True)
    equal(sorted({name for names in imported for name in names.split(",")}), exported.split(","), "what the others take from the first")
    left = dict(sources)
    for served, kept in [(first, ""), *((one, "export ") for one in others)]:
        # A token holds no character 0.
        found, length = "\0".join(tokens(served)) + "\0", 0
        for name, text in sources.items():
            plain = re.sub(r"^import .*;\n|^export ", lambda one: kept if one[0] == "export " else "", text, flags=re.M)
            expected = tokens(plain)
            if "\0".join(expected[:20]) + "\0" not in found:
                continue
            del left[name]
            # An end of a line behind a semicolon or a brace ends nothing.
            length += len(expected) + (expected[-1] not in (";", "}"))
            if "\0".join(expected) + "\0" not in found:
                whole = next(part for part in range(len(expected), 0, -1) if "\0".join(expected[:part]) + "\0" in found)
                raise AssertionError(f"{name}.js is served otherwise from here on: {expected[max(0, whole - 5):whole + 5]}")
        equal(len(tokens(served)) + (served.rstrip()[-1] not in ";}"), length, "the number of tokens")
    equal(list(left), [], "modules that no script has")
    # Chromium parses all.
    page = stage.page()
    eventually(lambda: page.text(".empty") is not None, "the page runs")
    page.open_sheet("Settings")
    stage.new("people")
    page = stage.page("/past/people")
    page.shows("0", "dd")
