package steps

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	public = "/api/commerce"
	server = "/api/server/commerce"
)

type object = map[string]any

// request is one call as it was sent, so that it can be sent again.
type request struct {
	method, path string
	body         any
	header       map[string]string
}

// answer is what came back.
type answer struct {
	status int
	header http.Header
	raw    []byte
	body   object
}

// send makes the call and nothing else.
func (w *world) send(ctx context.Context, r request) (answer, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	var body io.Reader
	contentType := "application/json"
	if f, ok := r.body.(form); ok {
		body, contentType = bytes.NewReader(f.body), f.contentType
	} else if r.body != nil {
		raw, err := json.Marshal(r.body)
		if err != nil {
			return answer{}, err
		}
		body = bytes.NewReader(raw)
	}
	req, err := http.NewRequestWithContext(ctx, r.method, w.base()+r.path, body)
	if err != nil {
		return answer{}, err
	}
	for name, value := range r.header {
		req.Header.Set(name, value)
	}
	if r.body != nil {
		req.Header.Set("Content-Type", contentType)
	}
	res, err := w.client().Do(req)
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = res.Body.Close() }() // it was only read
	a := answer{status: res.StatusCode, header: res.Header}
	if a.raw, err = io.ReadAll(res.Body); err != nil {
		return a, err
	}
	dec := json.NewDecoder(bytes.NewReader(a.raw))
	dec.UseNumber()
	if err := dec.Decode(&a.body); err != nil {
		return a, fmt.Errorf("%s %s answered %d with something that is no JSON object: %.200s", r.method, r.path, a.status, a.raw)
	}
	return a, nil
}

// base is the address of one of the server's processes, each in turn.
func (w *world) base() string {
	return strings.TrimSuffix(w.target.URLs[int(w.turn.Add(1))%len(w.target.URLs)], "/")
}

func (w *world) client() *http.Client {
	if w.target.Client != nil {
		return w.target.Client
	}
	return http.DefaultClient
}

// try makes a call whose outcome a later sentence judges.
func (w *world) try(ctx context.Context, r request) (err error) {
	w.sent, w.key = r, r.header["Idempotency-Key"]
	w.got, err = w.send(ctx, r)
	return err
}

// must makes a call that has to succeed.
func (w *world) must(ctx context.Context, r request) (answer, error) {
	a, err := w.send(ctx, r)
	if err == nil && !a.ok() {
		err = fmt.Errorf("%s %s: %s", r.method, r.path, a)
	}
	return a, err
}

func (a answer) ok() bool { return a.status >= 200 && a.status < 300 }

func (a answer) String() string { return fmt.Sprintf("answered %d %.600s", a.status, a.raw) }

// reason is why the server refused, or "".
func (a answer) reason() string {
	reason, _ := dig(a.body, "errors", 0, "extensions", "reason").(string)
	return reason
}

// dig follows a path of keys and positions; a missing step gives nil.
func dig(v any, path ...any) any {
	for _, step := range path {
		switch step := step.(type) {
		case string:
			m, _ := v.(object)
			v = m[step]
		case int:
			list, _ := v.([]any)
			if step >= len(list) {
				return nil
			}
			v = list[step]
		}
	}
	return v
}

func text(v any, path ...any) string {
	switch v := dig(v, path...).(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case bool:
		return strconv.FormatBool(v)
	}
	return ""
}

// idOf reads a relation that may be embedded.
func idOf(v any) string {
	if m, ok := v.(object); ok {
		return text(m, "id")
	}
	s, _ := v.(string)
	return s
}

func list(v any, path ...any) []any {
	l, _ := dig(v, path...).([]any)
	return l
}

// equal compares exact decimal text.
func equal(what string, got any, want string) error {
	if g := text(got); g != want {
		return fmt.Errorf("%s is %q, want %q", what, g, want)
	}
	return nil
}

func (w *world) asOwner() map[string]string {
	return map[string]string{"X-API-Key": w.shop.TestSecretKey}
}
func (w *world) asVisitor() map[string]string {
	return map[string]string{"X-Client-Key": w.shop.TestClientKey}
}

// with adds headers, pairs of name and value.
func with(header map[string]string, pairs ...string) map[string]string {
	out := maps.Clone(header)
	for i := 0; i < len(pairs); i += 2 {
		out[pairs[i]] = pairs[i+1]
	}
	return out
}

func keyed(header map[string]string) map[string]string {
	return with(header, "Idempotency-Key", newKey())
}

// refused judges the last call.
func (w *world) refused(reason string) error {
	if w.got.ok() || w.got.reason() != reason {
		return fmt.Errorf("it %s", w.got)
	}
	return nil
}

func (w *world) succeeded() error {
	if !w.got.ok() {
		return fmt.Errorf("it %s", w.got)
	}
	return nil
}
