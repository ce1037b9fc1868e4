"""The scripts as they are served."""

import re

from kit import ROOT
from kit.wait import equal

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
    """The tokens of a script. An end of a line is one where JavaScript may take it for the end of a statement."""
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
            if "\n" in space[0] and found and found[-1] not in (";", ",", "{", "(", "[", "\n"):
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


def test_scripts_are_their_sources(stage):
    """Each script has the tokens of its source, in its order: shorter files change no text, no template and no statement."""
    paths = [f"/{path.name}" for path in SOURCES.glob("*.js")]
    equal(len(paths) > 15, True, f"the scripts: {paths}")
    page = stage.page()
    for path in paths:
        served, source = stage.ask(path).said, (SOURCES / path[1:]).read_text()
        equal(len(served) < len(source), True, f"whether {path} is shorter than its source")
        found, expected = tokens(served), tokens(source)
        places = [place for place, (one, other) in enumerate(zip(found, expected)) if one != other][:1]
        equal([found[place:place + 9] for place in places], [expected[place:place + 9] for place in places], f"the first other tokens of {path}")
        equal(len(found), len(expected), f"the number of tokens of {path}")
    # Chromium parses each module of the page.
    loaded = page.browser.driver.execute_async_script(
        "const done = arguments[1]; Promise.all(arguments[0].map(path => import(path).then(() => '', error => path + ': ' + error))).then(done)",
        paths)
    equal([one for one in loaded if one], [], "modules that do not load")
