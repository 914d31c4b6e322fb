package steps

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Path prefixes of the commerce operations: those of storefronts and those of a shop's own server.
const (
	publicAPI = "/api/commerce"
	serverAPI = "/api/server/commerce"
)

// client is the state that all areas of a scenario share: the server under test, the shops of the scenario,
// and the last exchange. Whatever else an area remembers is a field of its own struct.
type client struct {
	target Target
	urls   []string // one per server process; calls take turns
	turn   atomic.Int64
	shop   Credentials // the shop of the scenario
	other  Credentials // a second shop; empty until otherShop is called

	sent       request  // the last request whose outcome a step judges
	got        answer   // its answer
	original   answer   // the answer to the same request before it was repeated
	concurrent []answer // the answers to the requests last sent concurrently, in the order of the requests

	positions sync.Map // by id of a record, the eventPosition that the answer to its last change told
}

func newClient(target Target) *client {
	return &client{target: target, urls: target.URLs}
}

// object is a JSON object.
type object = map[string]any

// request is one call as it was sent, so that it can be sent again.
type request struct {
	method, path string
	body         any // nil for none; a form is sent as it is, everything else as JSON
	header       map[string]string
}

// form is a body that is not JSON.
type form struct {
	contentType string
	body        []byte
}

// answer is a response whose body is a JSON object; its numbers are json.Number.
type answer struct {
	status int
	header http.Header
	raw    []byte
	body   object
}

func (a answer) ok() bool { return a.status >= 200 && a.status < 300 }

func (a answer) String() string { return fmt.Sprintf("answered %d %.600s", a.status, a.raw) }

// reason is the reason of a refusal, or "".
func (a answer) reason() string {
	reason, _ := valueAt(a.body, "errors", 0, "extensions", "reason").(string)
	return reason
}

// send makes the call and remembers nothing.
func (s *client) send(ctx context.Context, r request) (answer, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	req, err := s.httpRequest(ctx, r)
	if err != nil {
		return answer{}, err
	}
	res, err := s.httpClient().Do(req)
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
		return a, fmt.Errorf("%s %s answered %d with something that is not a JSON object: %.200s", r.method, r.path, a.status, a.raw)
	}
	s.notePosition(r, a)
	return a, nil
}

func (s *client) httpRequest(ctx context.Context, r request) (*http.Request, error) {
	var body io.Reader
	contentType := "application/json"
	if f, ok := r.body.(form); ok {
		body, contentType = bytes.NewReader(f.body), f.contentType
	} else if r.body != nil {
		raw, err := json.Marshal(r.body)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(raw)
	}
	req, err := http.NewRequestWithContext(ctx, r.method, s.baseURL()+r.path, body)
	if err != nil {
		return nil, err
	}
	for name, value := range r.header {
		req.Header.Set(name, value)
	}
	if r.body != nil {
		req.Header.Set("Content-Type", contentType)
	}
	return req, nil
}

// baseURL is the address of one of the server's processes, each in turn.
func (s *client) baseURL() string {
	return strings.TrimSuffix(s.urls[int(s.turn.Add(1))%len(s.urls)], "/")
}

func (s *client) httpClient() *http.Client {
	if s.target.Client != nil {
		return s.target.Client
	}
	return http.DefaultClient
}

// try makes a call whose outcome a later step judges.
func (s *client) try(ctx context.Context, r request) (err error) {
	s.sent = r
	s.got, err = s.send(ctx, r)
	return err
}

// must makes a call that has to succeed.
func (s *client) must(ctx context.Context, r request) (answer, error) {
	a, err := s.send(ctx, r)
	if err == nil && !a.ok() {
		err = fmt.Errorf("%s %s: %s", r.method, r.path, a)
	}
	return a, err
}

// repeat sends the last request again, with the same key.
func (s *client) repeat(ctx context.Context) error {
	s.original = s.got
	return s.try(ctx, s.sent)
}

// sendConcurrently sends all requests at the same time, each until its answer is final.
func (s *client) sendConcurrently(ctx context.Context, all []request) error {
	s.concurrent = make([]answer, len(all))
	errs := make([]error, len(all))
	var group sync.WaitGroup
	for i, r := range all {
		group.Go(func() { s.concurrent[i], errs[i] = s.sendWithRetry(ctx, r) })
	}
	group.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// sendWithRetry repeats a request as long as its answer says that it is retryable, as a good client does.
func (s *client) sendWithRetry(ctx context.Context, r request) (a answer, err error) {
	for attempt := range 60 {
		a, err = s.send(ctx, r)
		if err != nil || text(a.body, "errors", 0, "extensions", "retryable") != "true" {
			return a, err
		}
		select {
		case <-ctx.Done():
			return a, ctx.Err()
		case <-time.After(time.Duration(attempt) * 10 * time.Millisecond):
		}
	}
	return a, fmt.Errorf("after 60 attempts it still %s", a)
}

// graphQL sends a document; the answer must be one of GraphQL, with or without errors in it.
func (s *client) graphQL(ctx context.Context, header map[string]string, document string, variables object) error {
	if err := s.try(ctx, request{"POST", "/api/graphql", object{"query": document, "variables": variables}, header}); err != nil {
		return err
	}
	return s.wantSuccess()
}

// data is what the last answer has at a path of its GraphQL data.
func (s *client) data(path ...any) any { return valueAt(s.got.body, append([]any{"data"}, path...)...) }

// wantRefused judges the last call.
func (s *client) wantRefused(reason string) error {
	if s.got.ok() || s.got.reason() != reason {
		return fmt.Errorf("it %s", s.got)
	}
	return nil
}

// wantSuccess judges the last call.
func (s *client) wantSuccess() error {
	if !s.got.ok() {
		return fmt.Errorf("it %s", s.got)
	}
	return nil
}

// openShop makes a new shop the one of the scenario.
func (s *client) openShop(ctx context.Context) (err error) {
	s.shop, err = s.target.Shop(ctx)
	return err
}

// otherShop is the second shop of the scenario; the first call opens it.
func (s *client) otherShop(ctx context.Context) (_ Credentials, err error) {
	if s.other.TenantID == "" {
		s.other, err = s.target.Shop(ctx)
	}
	return s.other, err
}

// asServer are the headers of the shop's own server in the test environment.
func (s *client) asServer() map[string]string { return withSecretKey(s.shop.TestSecretKey) }

// asVisitor are the headers of a storefront in the test environment.
func (s *client) asVisitor() map[string]string {
	return map[string]string{"X-Client-Key": s.shop.TestClientKey}
}

func withSecretKey(key string) map[string]string { return map[string]string{"X-API-Key": key} }

func withToken(token string) map[string]string {
	return map[string]string{"Authorization": "Bearer " + token}
}

// with adds headers, pairs of name and value.
func with(header map[string]string, pairs ...string) map[string]string {
	out := maps.Clone(header)
	for i := 0; i < len(pairs); i += 2 {
		out[pairs[i]] = pairs[i+1]
	}
	return out
}

// keyed adds a new idempotency key.
func keyed(header map[string]string) map[string]string {
	return with(header, "Idempotency-Key", newKey())
}

// newKey is a random idempotency key of the form that the SDKs generate.
func newKey() string {
	const letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	key := []byte("ik_")
	for range 32 {
		key = append(key, letters[rand.IntN(len(letters))])
	}
	return string(key)
}

// emailOf is an address that no other scenario uses.
func (s *client) emailOf(name string) string {
	return name + "-" + s.shop.TenantID + "@shopper.example"
}

// eventualTimeout is how long a step waits for what the server does in the background, on a machine however busy.
const eventualTimeout = 2 * time.Minute

// eventually repeats a check until it passes; after eventualTimeout its last error is returned.
func eventually(ctx context.Context, check func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, eventualTimeout)
	defer cancel()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	var why error
	for {
		err := check(ctx)
		if err == nil {
			return nil
		}
		if why == nil || ctx.Err() == nil { // the end of ctx tells nothing
			why = err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return why
		}
	}
}
