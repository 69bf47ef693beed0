package sandbox

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"go.starlark.net/starlark"
)

// folderOf returns a Source with the given files.
func folderOf(files map[string]string) Source {
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return FS(fsys)
}

// mustLoad loads one file.
func mustLoad(t testing.TB, text string, env Env) *Module {
	t.Helper()
	m, err := Load(folderOf(map[string]string{"test.star": text}), "test.star", env, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func function(t testing.TB, m *Module, name string) starlark.Callable {
	t.Helper()
	fn, ok := m.Value(name).(starlark.Callable)
	if !ok {
		t.Fatalf("%s has no function %s", m.Name, name)
	}
	return fn
}

func TestCall(t *testing.T) {
	m := mustLoad(t, "def double(x):\n    return 2 * x\n", Env{})
	th := NewThread(Limits{})
	for range 2 { // a thread is reused
		v, err := th.Call(function(t, m, "double"), starlark.Tuple{starlark.MakeInt(21)})
		if err != nil || v != starlark.MakeInt(42) {
			t.Fatal(v, err)
		}
	}
}

func TestErrorHasPlaces(t *testing.T) {
	m := mustLoad(t, "def inner(x):\n    return x.nothing\n\ndef outer(x):\n    return inner(x)\n", Env{})
	_, err := NewThread(Limits{}).Call(function(t, m, "outer"), starlark.Tuple{starlark.MakeInt(1)})
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("%T", err)
	}
	if e.Kind != Failed || e.Line != "    return x.nothing" || e.At() != (Frame{"inner", "test.star", 2, 13}) {
		t.Errorf("%v, line %q, at %+v", e.Kind, e.Line, e.At())
	}
	if want := "test.star:5:17: in outer\ntest.star:2:13: in inner\n"; e.Backtrace() != want {
		t.Errorf("backtrace:\n%swant:\n%s", e.Backtrace(), want)
	}
}

// TestThreadRecovers checks that an error that ends one call does not affect the next.
func TestThreadRecovers(t *testing.T) {
	m := mustLoad(t, "def f(n):\n    for i in range(n):\n        pass\n    return n\n", Env{})
	th := NewThread(Limits{Steps: 1000})
	_, err := th.Call(function(t, m, "f"), starlark.Tuple{starlark.MakeInt(1 << 30)})
	if e, ok := err.(*Error); !ok || e.Kind != Steps || e.At().Line != 2 {
		t.Fatalf("%v", err)
	}
	if v, err := th.Call(function(t, m, "f"), starlark.Tuple{starlark.MakeInt(5)}); err != nil || v != starlark.MakeInt(5) {
		t.Fatal(v, err)
	}
}

func TestLoads(t *testing.T) {
	library := fstest.MapFS{"helpers.star": &fstest.MapFile{Data: []byte("def half(x):\n    return x // 2\n")}}
	files := map[string]string{
		"main.star":     "load('sub/b.star', 'b')\nload('@arbiter//helpers.star', 'half')\nx = half(b)\n",
		"sub/b.star":    "b = 10\n",
		"twice.star":    "load('sub/b.star', 'b')\nload('./sub/b.star', c = 'b')\n",
		"circle.star":   "load('circle2.star', 'x')\n",
		"circle2.star":  "load('circle.star', 'x')\n",
		"up.star":       "load('../b.star', 'b')\n",
		"inner-up.star": "load('sub/../../b.star', 'b')\n",
		"absolute.star": "load('/etc/x.star', 'b')\n",
		"back.star":     "load('sub\\\\b.star', 'b')\n",
		"scheme.star":   "load('http://x/b.star', 'b')\n",
		"label.star":    "load('//sub:b.star', 'b')\n",
		"other.star":    "load('@other//b.star', 'b')\n",
		"libup.star":    "load('@arbiter//../b.star', 'b')\n",
		"text.star":     "load('notes.txt', 'b')\n",
		"missing.star":  "\nload('nothing.star', 'b')\n",
		"noname.star":   "load('sub/b.star', 'bb')\n",
		"broken.star":   "load('syntax.star', 'b')\n",
		"syntax.star":   "x = = 1\n",
		"colon.star":    "y = \"ä\"\ndef f(ä)\n  return 1\n",
		"large.star":    strings.Repeat("#", 70<<10),
		"drive.star":    "load('C:/b.star', 'b')\n",
	}
	for _, test := range []struct{ name, want string }{
		{"main.star", ""},
		{"twice.star", ""},
		{"circle.star", "circle2.star:1:1: circle.star loads itself, by way of the files that it loads"},
		{"up.star", "up.star:1:1: cannot load \"../b.star\": the path leads out of the folder: `..` is not allowed"},
		{"inner-up.star", "leads out of the folder"},
		{"absolute.star", "the path is absolute"},
		{"back.star", "no back slash"},
		{"scheme.star", "no colon"},
		{"label.star", "no colon"},
		{"other.star", "there is no file @other/b.star"},
		{"libup.star", "leads out of the folder"},
		{"text.star", "does not end with .star"},
		{"missing.star", "missing.star:2:1: there is no file nothing.star"},
		{"noname.star", "name bb not found in module sub/b.star"},
		{"broken.star", "syntax.star:1:5: got '=', want primary expression"},
		{"colon.star", "colon.star:2:9: expected ':', found the end of the line"},
		{"large.star", "large.star has more than 65536 bytes"},
		{"drive.star", "no colon"},
		{"../main.star", "leads out of the folder"},
	} {
		m, err := Load(folderOf(files), test.name, Env{Library: library}, Limits{})
		switch {
		case test.want == "" && err != nil:
			t.Errorf("%s: %v", test.name, err)
		case test.want == "" && test.name == "main.star" && (m.Value("x") != starlark.MakeInt(5) || len(m.Files) != 3):
			t.Errorf("%s: x is %v, of %d files", test.name, m.Value("x"), len(m.Files))
		case test.want != "":
			e, ok := err.(*Error)
			if !ok || !strings.Contains(e.Error(), test.want) {
				t.Errorf("%s: %v\nwant %s", test.name, err, test.want)
			}
		}
	}
}

func TestTooManyFiles(t *testing.T) {
	files := map[string]string{"0.star": "x = 0\n"}
	for i := 1; i < 10; i++ {
		files[string(rune('0'+i))+".star"] = "load('" + string(rune('0'+i-1)) + ".star', y = 'x')\nx = y\n"
	}
	if _, err := Load(folderOf(files), "9.star", Env{}, Limits{Modules: 10}); err != nil {
		t.Error(err)
	}
	if _, err := Load(folderOf(files), "9.star", Env{}, Limits{Modules: 9}); err == nil || !strings.Contains(err.Error(), "more than 9 files") {
		t.Error(err)
	}
}

// TestFolderIsConfined checks that symbolic links that lead out of the folder, folders and pipes are not read.
func TestFolderIsConfined(t *testing.T) {
	outside, inside := t.TempDir(), t.TempDir()
	write := func(path string) {
		if err := os.WriteFile(path, []byte("b = 1\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(outside, "b.star"))
	write(filepath.Join(inside, "b.star"))
	if err := os.Symlink(filepath.Join(outside, "b.star"), filepath.Join(inside, "out.star")); err != nil {
		t.Skip(err)
	}
	for _, err := range []error{
		os.Symlink("b.star", filepath.Join(inside, "in.star")),
		os.Symlink(outside, filepath.Join(inside, "dir")),
		os.Mkdir(filepath.Join(inside, "folder.star"), 0o700),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, ok := range map[string]bool{"b.star": true, "in.star": true, "out.star": false, "dir/b.star": false, "folder.star": false} {
		if _, err := Load(Folder(inside), name, Env{}, Limits{}); (err == nil) != ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}
