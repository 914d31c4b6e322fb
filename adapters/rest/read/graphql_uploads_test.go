package read

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/app/gqlrequest"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

// file is a form part with a file.
func file(name, text string) string {
	return field(`form-data; name="`+name+`"; filename="`+name+`.txt"`, text)
}

// spool is shared by all tests.
var spool = NewSpool(1 << 30)

// sent reads a form of a document with variables, and returns the variables.
func sent(t *testing.T, variables, places, files string) (map[string]any, error) {
	t.Helper()
	f, err := NewForm(boundary, strings.NewReader(field(`form-data; name="operations"`, `{"query": "{ a }", "variables": `+variables+`}`)+
		field(`form-data; name="map"`, places)+files+"--b--\r\n"))
	if err != nil {
		t.Fatal(err)
	}
	var req gqlrequest.Request
	done, err := DocumentForm(f, spool, &req)
	t.Cleanup(done)
	return req.Variables, err
}

// opened is the content of the file at a variable, or the reason and message of the error.
func opened(t *testing.T, at any) string {
	t.Helper()
	f, err := at.(*gqlrequest.Upload).Open()
	if err != nil {
		return reasonOf(err)
	}
	body, err := io.ReadAll(f)
	if err != nil {
		return reasonOf(err)
	}
	return f.Name + "=" + string(body)
}

func reasonOf(err error) string {
	if f, ok := errors.AsType[*fault.Error](err); ok {
		return f.Reason + ": " + f.Message
	}
	return err.Error()
}

func TestFilesAreMappedToVariables(t *testing.T) {
	v, err := sent(t, `{"one": null, "data": {"files": [null, null]}}`,
		`{"0": ["variables.one"], "1": ["variables.data.files.0", "variables.data.files.1"]}`, file("0", "first")+file("1", "second"))
	if err != nil {
		t.Fatal(err)
	}
	list := v["data"].(map[string]any)["files"].([]any)
	if got := opened(t, v["one"]) + " " + opened(t, list[0]) + " " + opened(t, list[1]); got != "0.txt=first 1.txt=second 1.txt=second" {
		t.Error(got)
	}
	if got := opened(t, v["one"]); !strings.HasPrefix(got, "form_malformed: The document uses the file") {
		t.Errorf("a file was read twice: %s", got)
	}
}

// Files that arrive before they are needed go to disk, up to maxSpooledFiles.
func TestFilesGoToDiskOutOfOrder(t *testing.T) {
	const two = `{"a": ["variables.a"], "b": ["variables.b"]}`
	v, err := sent(t, `{"a": null, "b": null}`, two, file("a", "first")+file("b", "second"))
	if err != nil {
		t.Fatal(err)
	}
	if got := opened(t, v["b"]) + " " + opened(t, v["a"]); got != "b.txt=second a.txt=first" {
		t.Error(got)
	}
	v, err = sent(t, `{"a": null, "b": null}`, two, file("a", strings.Repeat("x", maxSpooledFiles+1))+file("b", "second"))
	if err != nil {
		t.Fatal(err)
	}
	if got := opened(t, v["b"]); !strings.HasPrefix(got, "body_too_large: Send files in the order") {
		t.Error(got)
	}
}

// What is on disk is bounded for all requests together, and given back when a request is done.
func TestSpoolIsShared(t *testing.T) {
	const two = `{"a": ["variables.a"], "b": ["variables.b"]}`
	shared := NewSpool(1000)
	open := func(size int) (string, func()) {
		f, err := NewForm(boundary, strings.NewReader(field(`form-data; name="operations"`, `{"query": "{ a }", "variables": {"a": null, "b": null}}`)+
			field(`form-data; name="map"`, two)+file("a", strings.Repeat("x", size))+file("b", "second")+"--b--\r\n"))
		if err != nil {
			t.Fatal(err)
		}
		var req gqlrequest.Request
		done, err := DocumentForm(f, shared, &req)
		if err != nil {
			t.Fatal(err)
		}
		return opened(t, req.Variables["b"]), done
	}
	first, done := open(600)
	if busy, others := open(600); first != "b.txt=second" || !strings.HasPrefix(busy, "server_busy") {
		t.Error(first, busy)
	} else {
		others()
	}
	done()
	if again, done := open(1000); again != "b.txt=second" {
		t.Error(again)
	} else {
		done()
	}
	if n := shared.used.Load(); n != 0 {
		t.Errorf("%d bytes stay", n)
	}
}

// Fields count as they arrive.
func TestFieldsOfFormsAreReserved(t *testing.T) {
	f, err := NewForm(boundary, strings.NewReader(field(`form-data; name="a"`, strings.Repeat("x", 100_000))+"--b--"))
	if err != nil {
		t.Fatal(err)
	}
	left := int64(50_000)
	f.Reserve = func(n int64) error {
		if left -= n; left < 0 {
			return ErrBusy
		}
		return nil
	}
	p, err := f.Next()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Value(); !errors.Is(err, ErrBusy) {
		t.Error(err)
	}
}

func TestMalformedGraphQLForms(t *testing.T) {
	for name, c := range map[string]struct{ variables, places, reason string }{
		"a path that is not null":    {`{"a": 1}`, `{"0": ["variables.a"]}`, "validation_failed"},
		"a path that does not exist": {`{}`, `{"0": ["variables.a"]}`, "validation_failed"},
		"a path beyond a list":       {`{"a": [null]}`, `{"0": ["variables.a.1"]}`, "validation_failed"},
		"a path below a file":        {`{"a": null}`, `{"0": ["variables.a.b"]}`, "validation_failed"},
		"a path mapped twice":        {`{"a": null}`, `{"0": ["variables.a"], "1": ["variables.a"]}`, "validation_failed"},
		"a path outside variables":   {`{"a": null}`, `{"0": ["query"]}`, "validation_failed"},
		"a path in another document": {`{"a": null}`, `{"0": ["0.variables.a"]}`, "validation_failed"},
		"a file without a path":      {`{"a": null}`, `{"0": []}`, "validation_failed"},
		"too many paths": {
			`{"a": null}`, `{"0": ["variables.a"` + strings.Repeat(`, "variables.a"`, maxFilePaths) + `]}`, "validation_failed",
		},
		"a map that is a list": {`{"a": null}`, `["variables.a"]`, "malformed_request"},
	} {
		if _, err := sent(t, c.variables, c.places, file("0", "x")); err == nil || !strings.HasPrefix(reasonOf(err), c.reason) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, parts := range map[string]string{
		"nothing":              "",
		"files before the map": field(`form-data; name="operations"`, `{"query": "{ a }"}`) + file("0", "x"),
		"the map first":        field(`form-data; name="map"`, `{}`),
		"operations as a file": file("operations", `{"query": "{ a }"}`),
		"no map":               field(`form-data; name="operations"`, `{"query": "{ a }"}`),
		"malformed operations": field(`form-data; name="operations"`, `{`),
	} {
		f, err := NewForm(boundary, strings.NewReader(parts+"--b--\r\n"))
		if err != nil {
			t.Fatal(err)
		}
		var req gqlrequest.Request
		if _, err := DocumentForm(f, spool, &req); err == nil || fault.From(err).Kind != fault.Invalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, files := range map[string]string{
		"no files": "", "another file": file("1", "x"), "a field": field(`form-data; name="0"`, "x"),
	} {
		v, err := sent(t, `{"a": null}`, `{"0": ["variables.a"]}`, files)
		if err != nil {
			t.Fatal(err)
		}
		if got := opened(t, v["a"]); !strings.HasPrefix(got, "form_malformed") {
			t.Errorf("%s: %s", name, got)
		}
	}
}
