package rest_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/rest"
)

// streamClient is a client of the event stream.
type streamClient struct {
	t      *testing.T
	status int
	header http.Header
	lines  *bufio.Scanner
	close  func() error
	id     string // Last-Event-ID
}

// serveStreams serves b on a real socket, with its streams running and its events numbered.
func serveStreams(t *testing.T, b *harness) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 3)
	go func() { ended <- b.streams.Run(ctx) }()
	go func() { ended <- b.store.RunSequencer(ctx) }()
	go func() { ended <- b.app.Listener(rest.Lingering(l)) }()
	t.Cleanup(func() {
		b.streams.Stop()
		if err := b.app.Shutdown(); err != nil {
			t.Error(err)
		}
		stop()
		for range cap(ended) {
			if err := <-ended; err != nil {
				t.Error(err)
			}
		}
	})
	return "http://" + l.Addr().String()
}

func openStream(t *testing.T, address, query string, headers ...string) *streamClient {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address+"/api/events/stream"+query, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { res.Body.Close() })
	lines := bufio.NewScanner(res.Body)
	lines.Buffer(nil, 4<<20)
	return &streamClient{t: t, status: res.StatusCode, header: res.Header, lines: lines, close: res.Body.Close}
}

// next is the next event as browsers read the stream: a block without data only updates the id. ok is false at the end.
func (f *streamClient) next() (e map[string]any, ok bool) {
	f.t.Helper()
	data := ""
	for f.lines.Scan() {
		name, value, _ := strings.Cut(f.lines.Text(), ": ")
		switch {
		case name == "id":
			f.id = value
		case name == "data":
			data = value
		case f.lines.Text() == "" && data != "":
			if err := json.Unmarshal([]byte(data), &e); err != nil {
				f.t.Fatal(err)
			}
			if fmt.Sprint(e["sequence"]) != f.id {
				f.t.Errorf("event %v has the id %s", e["sequence"], f.id)
			}
			return e, true
		}
	}
	return nil, false
}

// waitForHeartbeat reads until a heartbeat.
func (f *streamClient) waitForHeartbeat() {
	f.t.Helper()
	for f.lines.Scan() {
		if strings.HasPrefix(f.lines.Text(), ":") {
			return
		}
	}
	f.t.Error("the stream ended")
}

func (f *streamClient) wantName(name string) {
	f.t.Helper()
	e, _ := f.next()
	doc, _ := e["doc"].(map[string]any)
	if doc["name"] != name {
		f.t.Errorf("%v, want the record %s", e, name)
	}
}

func TestEventsAreStreamed(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		address := serveStreams(t, b)
		one := openStream(t, address, "?collection=gadgets", "X-API-Key", b.shop.SecretKey)
		if h := one.header; one.status != 200 || h.Get("Content-Type") != "text/event-stream" ||
			h.Get("Cache-Control") != "private, no-store" || h.Get("X-Accel-Buffering") != "no" || h.Get("X-Request-Id") == "" {
			t.Fatal(one.status, h)
		}
		// What the other shop began with may get its numbers only now: the stream leaves it out.
		foreign := openStream(t, address, "?collection=gadgets", "X-API-Key", b.other.SecretKey)
		b.make("gadgets", `{"name":"one"}`)
		one.wantName("one")
		b.make("brands", `{"name":"not selected"}`)
		id := b.make("gadgets", `{"name":"two"}`)
		one.wantName("two")
		_ = one.close() // it disconnects
		b.secret(200, "PATCH", "/api/gadgets/"+id, `{"name":"three"}`)
		again := openStream(t, address, "?collection=gadgets&after=0", "X-API-Key", b.shop.SecretKey, "Last-Event-ID", one.id)
		e, _ := again.next()
		if data, _ := e["data"].(map[string]any); e["operation"] != "update" || len(data) != 1 || data["name"] != "three" ||
			e["environment"] != "live" {
			t.Error(e)
		}
		again.waitForHeartbeat()
		b.secret(200, "DELETE", "/api/gadgets/"+id, "")
		if e, _ := again.next(); e["operation"] != "delete" {
			t.Error(e)
		}
		test := openStream(t, address, "?after=0", "X-API-Key", b.shop.TestSecretKey)
		if e, ok := test.next(); !ok || e["environment"] == "live" {
			t.Error(e)
		}
		b.streams.Stop()
		for name, f := range map[string]*streamClient{"the reader": again, "another shop's": foreign} {
			if e, ok := f.next(); ok {
				t.Errorf("%s gets %v", name, e)
			}
			if err := f.lines.Err(); err != nil {
				t.Errorf("%s: the stream ends with %v", name, err)
			}
		}
	})
}

func TestEventStreamRefusals(t *testing.T) {
	b := newSQLiteHarness(t)
	for name, c := range map[string]struct {
		query, header, value, reason string
		status                       int
	}{
		"nobody":           {"", "X-Nothing", "", "unauthenticated", 401},
		"a visitor":        {"", "X-Client-Key", b.shop.ClientKey, "forbidden", 403},
		"an unknown key":   {"", "X-API-Key", "sk_live_nothing", "key_unknown", 401},
		"a collection":     {"?collection=nothing", "X-API-Key", b.shop.SecretKey, "validation_failed", 400},
		"another word":     {"?colection=brands", "X-API-Key", b.shop.SecretKey, "validation_failed", 400},
		"no number":        {"?after=x", "X-API-Key", b.shop.SecretKey, "validation_failed", 400},
		"beyond the end":   {"?after=1000000", "X-API-Key", b.shop.SecretKey, "event_number_unknown", 400},
		"page: no number":  {"page?after=x", "X-API-Key", b.shop.SecretKey, "validation_failed", 400},
		"page: too much":   {"page?limit=501", "X-API-Key", b.shop.SecretKey, "validation_failed", 400},
		"page: a visitor":  {"page", "X-Client-Key", b.shop.ClientKey, "forbidden", 403},
		"page: beyond":     {"page?after=1000000", "X-API-Key", b.shop.SecretKey, "event_number_unknown", 400},
		"page: collection": {"page?collection=nothing", "X-API-Key", b.shop.SecretKey, "validation_failed", 400},
	} {
		t.Run(name, func(t *testing.T) {
			path := "/api/events/stream" + c.query
			if rest, page := strings.CutPrefix(c.query, "page"); page {
				path = "/api/events" + rest
			}
			if a := b.request("GET", path, "", c.header, c.value); a.status != c.status || a.reason() != c.reason ||
				a.header.Get("Content-Type") != "application/json; charset=utf-8" {
				t.Errorf("%d %s %s", a.status, a.reason(), a.raw)
			}
		})
	}
	if a := b.request("POST", "/api/events", "{}", "X-API-Key", b.shop.SecretKey); a.status != 405 {
		t.Error(a.status, a.raw)
	}
	if a := b.request("HEAD", "/api/events/stream", "", "X-API-Key", b.shop.SecretKey); a.status != 200 ||
		a.header.Get("Content-Type") != "text/event-stream" || a.raw != "" {
		t.Error(a.status, a.header, a.raw)
	}
}

// The stream of a revoked key ends within a heartbeat.
func TestEventStreamEndsWhenKeyIsRevoked(t *testing.T) {
	b := newSQLiteHarness(t)
	address := serveStreams(t, b)
	admin := b.request("POST", "/api/users/login", `{"email":"`+b.shop.AdminEmail+`","password":"`+b.shop.AdminPassword+`"}`)
	token, _ := admin.body["token"].(string)
	made := b.request("POST", "/api/api-keys", `{"name":"k","kind":"secret","environment":"live"}`, "Authorization", "Bearer "+token)
	key, _ := made.body["key"].(string)
	f := openStream(t, address, "?collection=brands", "X-API-Key", key)
	if f.status != 200 {
		t.Fatal(f.status, made.raw)
	}
	f.waitForHeartbeat()
	revoked := b.request("POST", "/api/api-keys/"+fmt.Sprint(made.doc()["id"])+"/revoke", "", "Authorization", "Bearer "+token)
	if revoked.status != 200 {
		t.Fatal(revoked.raw)
	}
	b.advance(time.Minute) // keys are cached
	if e, ok := f.next(); ok {
		t.Error(e)
	}
	if again := openStream(t, address, "", "X-API-Key", key); again.status != 401 {
		t.Error(again.status)
	}
}
