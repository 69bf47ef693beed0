package sandbox

import (
	"fmt"
	"strings"
	"testing"

	"go.starlark.net/starlark"
)

// ordinary are bodies of functions that must do the same whether they are rewritten or not. They may append to the list
// `log`, which is compared together with the result. A body that fails must fail in both cases.
var ordinary = []string{
	// operators
	`return [1 + 2, 5 - 7, 3 * 4, 7 // 2, -7 // 2, 7 % 3, -7 % 3, 6 & 3, 6 | 3, 6 ^ 3, 1 << 5, 100 >> 3, -5, +5, ~5]`,
	`a, b = 7, 2; return [a + b, a - b, a * b, a // b, a % b, a & b, a | b, a ^ b, a << b, a >> b, -a, +a, ~a, not a]`,
	`a = 1 << 40; return [a + a, a - a, a * 3, a // 7, a % 7, a | 1, a & a, a ^ 5, -a, a == a, a < a + 1, a > 3]`,
	`s, t = "ab", "cd"; return [s + t, s * 3, 3 * s, t + s + t, s < t, s == t, s != t, s <= s, s >= t, "b" in s, "b" not in s, s[0], s[-1], s[1:], s[::-1], s[::2]]`,
	`s = "ab"; return "x" + "y" + s + "z" + "w" + s`,
	`l, m = [1, 2], [3]; return [l + m, l * 2, 2 * m, l + m + l, l < m, l == [1, 2], 2 in l, 5 in l, 5 not in l, l[0], l[-1], l[1:], l[::-1], l[5:], l[:-1]]`,
	`t, u = (1, 2), (3,); return [t + u, t * 2, 2 * u, (), (1,), t < u, t == (1, 2), 2 in t, t[0], t[-1], t[1:], t[::-1], t[0:2:2]]`,
	`d, e = {1: 2}, {"a": [3], 1: 5}; return [d | e, d == e, d != e, 1 in d, 7 in d, "a" not in e, e["a"], d == {1: 2}]`,
	`n = 3; return ["%s and %d" % ("x", n), "%r" % "q", "%%", "%x %X %o %c" % (255, 255, 8, 65), "%(a)s-%(b)d" % {"a": "A", "b": 2}, "%s" % [1, "x"]]`,
	`x = None; return [x == None, x != None, True == 1, False or 5, 0 or "", 1 and 2, [] and 3, not [], not "x", None or None]`,
	`x = 5; return 1 < x and x < 9 or x == 0`,
	`return [1 if [] else 2, (3 if True else 4) + 1]`,
	`x = 2; return x + x * x - x // x % x`,
	`a = 3; return (a + 1) * (a - 1) == a * a - 1`,
	`a = [1]; b = a; b += [2]; b = b + [3]; return [a, b]`,
	`a = (1,); b = a; b += (2,); return [a, b]`,
	`a = {1: 1}; b = a; b |= {2: 2}; b = b | {3: 3}; return [a, b]`,
	`a = [1]; a += (2, 3); a += range(2); a += {5: 6}; a *= 2; return a`,
	`x = 5; x += 2; x -= 1; x *= 3; x //= 2; x %= 5; x <<= 3; x |= 1; x ^= 7; x &= 62; x >>= 1; return x`,
	`s = "%d"; s %= 4; s += "x"; s *= 2; return s`,
	// the address of an augmented assignment is computed once
	`
l = [10, 20, 30]
def f():
    log.append("f")
    return l
def g():
    log.append("g")
    return 1
def h():
    log.append("h")
    return 5
f()[g()] += h()
f()[g()] *= h() + g()
return l`,
	`
d = {"a": 1, "b": [1]}
def f():
    log.append("f")
    return d
def g(k):
    log.append("g")
    return k
f()[g("a")] += d["a"] + d["a"]
f()[g("b")] += [2]
f()[g("b")] += d["b"]
f()[g("n")] = f()[g("a")]
d["a"] -= 1
d["a"] -= d["n"]
return d`,
	`d = {1: {2: 3}}; d[1][2] += d[1][2]; d[1][3] = d[1][2] + len(d[1]); return d`,
	`l = [[1, 2], [3]]; l[0][1] += l[1][0]; l[1] += l[0]; l[0], l[1] = l[1], l[0]; return l`,
	`l = [1, 2, 3]; l[0], l[1] = l[1], l[0]; (a, b), c = (1, 2), l; [e, f] = [5, 6]; return [l, a, b, c, e, f]`,
	`d = {}; d["x"], d["y"] = 1, 2; [d["z"]] = [d["x"] + d["y"]]; return d`,
	`l = [0, 0]
for l[0] in range(3):
    log.append(l[0] + l[1])
return l`,
	// short circuit
	`
def f(x):
    log.append(x)
    return x
return [f(0) and f(1), f(2) or f(3), f(1) if f(0) else f(4), f(1) + f(2) == f(3) and f(5) not in [f(6)]]`,
	// comprehensions
	`return [[x * x for x in range(5)], [x + y for x in "ab".elems() for y in "cd".elems() if x != y], {x: x * 2 for x in [1, 2]}, {k: v for k, v in {1: 2}.items() if v}]`,
	`x = [1, 2]; return [[x for x in x], x, [y for y in x if y in x], [[a for a in range(b)] for b in x]]`,
	`return {x % 3: x for x in range(10)}`,
	`return {str(x) + "k": [x] for x in range(3)}`,
	`return [f(2) for f in [lambda x, y = y: x + y for y in range(3)]]`,
	// displays
	`a = "k"; return {a: 1, "b": {a + a: [a]}, (1, 2): (3,), 1: None}`,
	`a = "k"; return {a: 1, "k": 2}`,
	`return {[]: 1}`,
	`return {1: 2}[[]]`,
	`return {1: 2}["x"]`,
	`return [[], {}, (), "", [[]], [()], ({},)]`,
	// functions
	`
def f(a, b = 2, *args, c = 3, **kw):
    return [a, b, args, c, kw, a + b]
return [f(1), f(1, 5), f(1, 2, 3, 4), f(1, c = 9), f(*[1, 2, 3], **{"x": 1, "c": 2}), f(b = 1, a = 2), f(1, *"xy".elems())]`,
	`
def f(a, *, b):
    return a + b
return [f(1, b = 2), f(a = 1, b = 3)]`,
	`
def f(a, b):
    return a + b
return f(1)`,
	`
def f(a):
    return a + a
return f(1, 2)`,
	`
def f(a):
    return a + a
return f(1, c = 2)`,
	`
def f(**kw):
    return kw
return f(x = 1, **{"x": 2})`,
	`
def outer(n):
    def inner(m):
        return n + m
    return inner
return [outer(1)(2), outer("a")("b")]`,
	`
def f(x):
    "a document"
    return x * 2
return [f(4), f("a"), type(f), str(f)]`,
	`f = lambda x, y = 5: x + y * x; return [f(2), f(2, 3), (lambda: 7)(), (lambda *a, **k: [a, k])(1, z = 2)]`,
	`
def f(g, x):
    return g(g(x))
return f(lambda s: s + s, "ab")`,
	`return len(*[[1, 2, 3]])`,
	`return zip(*[(1, 2), (3, 4)])`,
	// built-in functions
	`return [abs(-3), all([1, 0]), any([0, 1]), bool(""), chr(65), dict(a = 1), dict([(1, 2), [3, 4]], b = 5), dict({1: 2}), dict()]`,
	`return [enumerate("ab".elems()), enumerate([5, 6], 1), int("12"), int("ff", 16), int("0x10", 0), int(True), len("abc"), list(range(3)), list({1: 2}), list()]`,
	`return [max(1, 3, 2), max([1, 5]), min("b", "a"), min([3, 1], key = lambda x: -x), max(["aa", "b"], key = len), ord("a"), repr("x\n"), reversed([1, 2]), reversed(range(3))]`,
	`return [sorted([3, 1, 2]), sorted(["b", "A"], key = lambda s: s.lower()), sorted([3, 1, 2], reverse = True), sorted({2: 1, 1: 2}), sorted([(2, "a"), (1, "b"), (2, "A")]), sorted([])]`,
	`return sorted([("b", 1), ("a", 1), ("c", 0)], key = lambda p: p[1], reverse = True)`,
	`return [str(1), str("x"), str(None), str([1, "x", (2,), {"a": None}]), str(True), str((1,)), str(()), str({}), str(-5), str(range(3))]`,
	`return [tuple([1, 2]), tuple(), type(1), type(""), type([]), type({}), type(()), type(None), type(len), type(range(1))]`,
	`return [zip([1, 2], "ab".elems()), zip(), zip([1], [2, 3]), list(zip([1, 2]))]`,
	`return [range(5), range(1, 5), range(5, 1, -2), list(range(0, 10, 3)), range(5)[2], range(5)[1:3], 3 in range(5), len(range(7))]`,
	`return [hasattr("", "upper"), hasattr([], "nothing"), getattr("abc", "upper")(), getattr([], "x", 5)]`,
	`return getattr([], "x")`,
	`return sorted([1, "a"])`, `return sorted(5)`, `return max()`, `return max([])`, `return min(1)`, `return len(5)`, `return int("x")`,
	`return dict([1])`, `return dict(5)`, `return dict([(1, 2, 3)])`, `return dict(1, 2)`, `return zip(1)`, `return list(5)`, `return "a" + 1`, `return [] + ()`,
	`return 1 + None`, `return {} < {}`, `return [] < ()`, `return -"a"`, `return "a" % 1`, `return "%d" % "x"`, `return "%s %s" % 1`, `return [1][5]`, `return "abc"["x"]`,
	`return 5 in 6`, `return 5 in "abc"`, `return 5[1]`, `return 5[1:]`, `return None.x`, `return [].nothing`, `return "".append`, `return 1 // 0`, `return 1 % 0`,
	`return 5(1)`, `return [][0](1)`, `x = 5; x[0] = 1; return x`, `x = "a"; x[0] = "b"; return x`, `x = (1,); x[0] += 1; return x`, `x = [1]; x += 1; return x`,
	`for x in 5: pass`, `a, b = 1, 2, 3; return a`, `a, b = [1]; return a`, `a, b = 5; return a`, `return x`, `fail("no", 5, [1], sep = "-")`,
	// methods
	`l = [3, 1]; l.append(2); l.extend([5, 6]); l.extend(range(2)); l.insert(0, 9); l.insert(-1, 8); l.insert(99, 7); l.remove(5); return [l, l.pop(), l.pop(0), l.index(1), l, l.clear(), l]`,
	`l = [1]; l.extend(l); l += l; l.extend(l[1:]); f = l.append; f(7); return [l, str(f)]`,
	`l = [1]; return l.remove(5)`, `l = [1]; return l.index(5)`, `l = []; return l.pop()`, `l = []; return l.append()`, `l = []; return l.extend(5)`,
	`
l = [1, 2]
for x in l:
    l.append(x)
return l`,
	`
d = {1: 2}
for x in d:
    d[x + 1] = 1
return d`,
	`
l = [1, 2]
for x in l:
    l += [x]
return l`,
	`d = {"a": 1, "b": 2}; return [d.get("a"), d.get("c"), d.get("c", 5), d.items(), d.keys(), d.values(), d.setdefault("d", 4), d.setdefault("a", 9), d.pop("a"), d.pop("x", 0), d.popitem(), d]`,
	`d = {"a": 1}; d.update({"b": 2}, c = 3); d.update([("e", 5)]); d.update(); return [d, d.clear(), d]`,
	`d = {}; return d.pop("x")`, `d = {}; return d.popitem()`, `d = {}; return d.get([])`, `d = {}; d[[]] = 1; return d`, `d = {}; d["a"] += 1; return d`,
	`s = "Hello, World"; return [s.capitalize(), s.count("o"), s.endswith("ld"), s.find("o"), s.index("W"), s.lower(), s.upper(), s.title(), s.startswith(("He", "x")), s.rfind("o"), s.rindex("l"), s.replace("o", "0"), s.replace("l", "LL", 2), s.replace("", "-")]`,
	`s = " a,b ,c "; return [s.strip(), s.lstrip(), s.rstrip(), s.split(","), s.split(), s.split(",", 1), s.rsplit(",", 1), s.split(None, 1), s.rsplit(None, 1), s.partition(","), s.rpartition(","), s.removeprefix(" a"), s.removesuffix(" "), s.strip(" ac")]`,
	`return ["a\nb\n".splitlines(), "a\nb".splitlines(True), "-".join(["a", "b"]), "-".join("abc".elems()), "".join([]), list("aé".codepoints()), list("aé".elem_ords()), list("é".codepoint_ords())]`,
	`return ["{} {}".format(1, "x"), "{1} {0}".format(1, 2), "{a}-{b!r}".format(a = "q", b = "w"), "{{}}".format(), "{}".format([1, "x"]), "{0}{0}".format("ab")]`,
	`return ["ab1".isalnum(), "ab".isalpha(), "12".isdigit(), "ab".islower(), " ".isspace(), "Ab".istitle(), "AB".isupper(), "".isalpha()]`,
	`return "{}".format()`, `return "a".index("b")`, `return "".join([1])`, `return "a".split("")`, `return "a".upper(1)`, `return "{:5}".format(1)`, `return "a".join(5)`,
	`return "a".upper().lower().split("a")[0].join(["x", "y"]).replace("x", "z")[0] * 2`,
	`return [x.upper() for x in "a b".split()] + list({k.title(): 1 for k in ["a"]})`,
	`f = "ab".upper; g = {"x": 1}.get; return [f(), g("x"), g("y", 2), sorted(["b", "a"], key = {"a": 2, "b": 1}.get)]`,
	// cyclic structures
	`l = [1]; l.append(l); d = {}; d["d"] = d; return [str(l), str(d), repr([l])]`,
	`l = [1]; l.append(l); m = [1]; m.append(m); return l == m`,
	// loops
	`
n = 0
for i in range(10):
    if i % 2:
        continue
    if i > 6:
        break
    for j in range(i):
        n += j * i
return n`,
	`
words = {}
for w in "a b a c b a".split():
    words[w] = words.get(w, 0) + 1
return sorted(words.items(), key = lambda kv: (-kv[1], kv[0]))`,
}

// written returns the source of a file with a body.
func written(body string) string {
	return "def main(log):\n" + indent(body) + "\n"
}

func indent(body string) string {
	return "    " + strings.ReplaceAll(strings.TrimSpace(body), "\n", "\n    ")
}

// outcome runs a body and returns its result and its log, printed by Starlark, or its error.
func outcome(body string, unchanged bool) (string, error) {
	noRewrite = unchanged
	defer func() { noRewrite = false }()
	m, err := Load(folderOf(map[string]string{"test.star": written(body)}), "test.star", Env{}, Limits{})
	if err != nil {
		return "", err
	}
	log := new(starlark.List)
	v, err := NewThread(Limits{}).Call(m.Value("main").(starlark.Callable), starlark.Tuple{log})
	if err != nil {
		return "", err
	}
	return v.String() + " " + log.String(), nil
}

func TestOrdinaryProgramsDoTheSame(t *testing.T) {
	for _, body := range ordinary {
		want, wantErr := outcome(body, true)
		got, err := outcome(body, false)
		switch {
		case (err == nil) != (wantErr == nil), got != want:
			t.Errorf("%s\ngives   %s %v\nwithout %s %v", body, got, err, want, wantErr)
		case err != nil:
			a, b := err.(*Error), wantErr.(*Error)
			if a.Kind != b.Kind || a.At().Line != b.At().Line {
				t.Errorf("%s\nfails with %v %v\nwithout    %v %v", body, a.Kind, a, b.Kind, b)
			} else if testing.Verbose() && a.Error() != b.Error() {
				t.Logf("%s\nfails with %v\nwithout    %v", body, a, b)
			}
		}
	}
}

// TestTopLevelDoesTheSame checks code at the top level and in lambdas, where the meter is fetched wherever it is
// needed.
func TestTopLevelDoesTheSame(t *testing.T) {
	for _, e := range []string{
		`[x + 1 for x in [1, 2] if x * x > x]`, `{k + "a": v[0:1] for k, v in {"x": "yz"}.items()}`, `(lambda x: x + x)("a") * 2`,
		`(lambda d: d["a"] + d["b"])({"a": [1], "b": [2]})`, `sorted([3, 1], key = lambda x: [x] * 2)`, `(lambda f: f(f(2)))(lambda n: n * n)`,
		`"-".join([str(i) for i in range(3)]).split("-") + [[1] * 3][0][1:]`, `[1, 2] == [1, 2] and (1 in [1]) and not (2 not in (2,))`,
	} {
		var got [2]string
		for i, unchanged := range []bool{true, false} {
			noRewrite = unchanged
			m, err := Load(folderOf(map[string]string{"test.star": "x = " + e + "\n"}), "test.star", Env{}, Limits{})
			noRewrite = false
			if err != nil {
				t.Fatal(e, err)
			}
			got[i] = fmt.Sprint(m.Value("x"), m.Names())
		}
		if got[0] != got[1] {
			t.Errorf("%s\ngives   %s\nwithout %s", e, got[1], got[0])
		}
	}
}
