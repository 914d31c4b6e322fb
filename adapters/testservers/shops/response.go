package shops

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/collection"
)

// Response is a parsed JSON answer.
type Response map[string]any

// Path is the value at a path of names and, in lists, indexes: "errors.0.message"; nil without one.
func (s Response) Path(path string) any {
	var v any = map[string]any(s)
	for name := range strings.SplitSeq(path, ".") {
		switch at := v.(type) {
		case map[string]any:
			v = at[name]
		case []any:
			i, err := strconv.Atoi(name)
			if v = nil; err == nil && i < len(at) {
				v = at[i]
			}
		default:
			return nil
		}
	}
	return v
}

// TextAt is the value at a path as text: strings, numbers and booleans; "" for anything else.
func (s Response) TextAt(path string) string {
	switch v := s.Path(path).(type) {
	case string:
		return v
	case collection.JSONNumber:
		return string(v)
	case bool:
		return strconv.FormatBool(v)
	}
	return ""
}

// Reason is why a request was refused; "" if it was not.
func (s Response) Reason() string { return s.TextAt("errors.0.extensions.reason") }

// MustBody is the body of an answer that must be a success.
func MustBody(t testing.TB, a idempotency.Response, err error) []byte {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if a.Fault != nil {
		t.Fatalf("refused: %v %v", a.Fault, a.Fault.Data)
	}
	return a.Body.Bytes()
}

// Do sends a request through do; headers are name, value, …. Besides the members of the body the answer has
// "raw", its bytes, and "replayed".
func Do(t testing.TB, do func(*http.Request) (*http.Response, error), method, path, body string, headers ...string) (int, Response) {
	t.Helper()
	req := httptest.NewRequest(method, "/api"+path, strings.NewReader(body))
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	res, err := do(req)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := io.ReadAll(res.Body)
	if err = errors.Join(err, res.Body.Close()); err != nil {
		t.Fatal(err)
	}
	s := Response(ParseObject(t, string(answer)))
	s["raw"], s["replayed"] = string(answer), res.Header.Get("Idempotency-Replayed")
	return res.StatusCode, s
}
