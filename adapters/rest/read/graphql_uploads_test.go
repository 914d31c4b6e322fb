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

// sent reads a form of a document with variables, and returns the variables.
func sent(t *testing.T, variables, places, files string) (map[string]any, error) {
	t.Helper()
	f, err := NewForm(boundary, strings.NewReader(field(`form-data; name="operations"`, `{"query": "{ a }", "variables": `+variables+`}`)+
		field(`form-data; name="map"`, places)+files+"--b--\r\n"))
	if err != nil {
		t.Fatal(err)
	}
	var req gqlrequest.Request
	err = DocumentForm(f, &req)
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

// Files that arrive before they are needed are buffered, up to maxBufferedFiles.
func TestFilesAreBufferedOutOfOrder(t *testing.T) {
	const two = `{"a": ["variables.a"], "b": ["variables.b"]}`
	v, err := sent(t, `{"a": null, "b": null}`, two, file("a", "first")+file("b", "second"))
	if err != nil {
		t.Fatal(err)
	}
	if got := opened(t, v["b"]) + " " + opened(t, v["a"]); got != "b.txt=second a.txt=first" {
		t.Error(got)
	}
	v, err = sent(t, `{"a": null, "b": null}`, two, file("a", strings.Repeat("x", maxBufferedFiles+1))+file("b", "second"))
	if err != nil {
		t.Fatal(err)
	}
	if got := opened(t, v["b"]); !strings.HasPrefix(got, "body_too_large: Send files in the order") {
		t.Error(got)
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
		if err := DocumentForm(f, &req); err == nil || fault.From(err).Kind != fault.Invalid {
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
