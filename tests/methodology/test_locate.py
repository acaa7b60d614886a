"""Lines of keys in texts with everything TOML has."""

import tomllib

from tallymark.methodology.locate import line_of, locate

TEXT = '''\
# a comment = 1

name = "a # b = c"   # name = 2
"quoted" = \'\'\'
inner = 1
[no.table]
\'\'\'
a.b = """x\\"" y
c = 2"""
list = [ # one
  1, "]", # x = 1
  [2, {deep = 3}],
]
[first]
x = {y = 1, z = {w = "}"}}
empty = {}
none = []
[ second . "third" ]
when = 2024-01-01T00:00:00Z
[[many]]
k = ''
q = ""
'''


def test_every_key_once() -> None:
    tomllib.loads(TEXT)
    assert locate(TEXT) == {
        "name": 3,
        "quoted": 4,
        "a": 8,
        "a.b": 8,
        "list": 10,
        "list.deep": 12,
        "first": 14,
        "first.x": 15,
        "first.x.y": 15,
        "first.x.z": 15,
        "first.x.z.w": 15,
        "first.empty": 16,
        "first.none": 17,
        "second": 18,
        "second.third": 18,
        "second.third.when": 19,
        "many": 20,
        "many.k": 21,
        "many.q": 22,
    }


def test_a_missing_field_is_where_its_table_is() -> None:
    assert line_of(TEXT, "first.x.other") == 15
    assert line_of(TEXT, "second.third") == 18
    assert line_of(TEXT, "nothing.at.all") == 1
    assert line_of("", "x") == 1


def test_escapes_of_a_key_are_read() -> None:
    text = '[system]\nkind = "elo"\n"t\\u0061u" = 1\n"a\\"\\\\b" = 2\n\'raw\\n\' = 3\n"" = 4\n'
    assert set(tomllib.loads(text)["system"]) == {"kind", "tau", 'a"\\b', "raw\\n", ""}
    assert line_of(text, "system.tau") == 3
    assert line_of(text, 'system.a"\\b') == 4
    assert line_of(text, "system.raw\\n") == 5
    assert line_of(text, "system.") == 6
