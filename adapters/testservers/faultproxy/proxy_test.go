package faultproxy_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers/faultproxy"
)

// shop is a server that counts what it does, and does each key once.
type shop struct {
	*httptest.Server

	mu    sync.Mutex
	seen  []string        // bodies, as they arrived
	done  map[string]bool // by key
	hosts []string
}

func newShop(t *testing.T) *shop {
	t.Helper()
	s := &shop{done: map[string]bool{}}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			panic(err)
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.seen, s.hosts = append(s.seen, string(body)), append(s.hosts, r.Host)
		key := r.Header.Get("Idempotency-Key")
		if s.done[key] {
			w.Header().Set("Idempotency-Replayed", "true")
		}
		s.done[key] = true
		w.Header().Set("X-Shop", "open")
		w.WriteHeader(http.StatusCreated)
		_, _ = io.WriteString(w, "made "+string(body))
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *shop) bodies() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string{}, s.seen...)
}

func (s *shop) effects() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.done)
}

const key = "ik_0123456789abcdefghijABCDEFGHIJ01"

// call sends one keyed request, and answers status and body or what became of it.
func call(ctx context.Context, method, url, body string) (int, string, error) {
	req, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	req.Header.Set("Idempotency-Key", key)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer res.Body.Close()
	got, err := io.ReadAll(res.Body)
	return res.StatusCode, string(got), err
}

func TestProxyIsTransparentWithoutFaults(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	p := faultproxy.Start(t, s.URL)
	for range 2 {
		if status, body, err := call(t.Context(), "POST", p.URL+"/api/x?y=%20z", `{"a": 1 }`); status != http.StatusCreated ||
			body != `made {"a": 1 }` || err != nil {
			t.Fatalf("%d %q %v", status, body, err)
		}
	}
	if s.hosts[0] != strings.TrimPrefix(s.URL, "http://") {
		t.Errorf("the server was called %s", s.hosts[0])
	}
	got := p.Requests()
	if len(got) != 2 {
		t.Fatalf("%d requests are recorded", len(got))
	}
	if r := got[0]; r.Method != http.MethodPost || r.Path != "/api/x?y=%20z" || r.Key != key || r.Body != `{"a": 1 }` || !r.Forwarded ||
		r.Answer != http.StatusCreated || r.Replayed || r.Fault != "" {
		t.Errorf("recorded %+v", r)
	}
	if !got[1].Replayed {
		t.Errorf("the second is a replay: %+v", got[1])
	}
	p.Clear()
	if left := p.Requests(); len(left) != 0 {
		t.Errorf("%d requests are remembered", len(left))
	}
}

func TestFaultKinds(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault   faultproxy.Fault
		status  int
		body    string
		err     error // nil: none
		effects int
	}{
		"a dropped answer leaves an effect": {fault: faultproxy.Fault{Kind: faultproxy.Drop}, err: io.EOF, effects: 1},
		"a cut answer leaves an effect": {
			fault: faultproxy.Fault{Kind: faultproxy.Truncate}, status: http.StatusCreated, body: "made", err: io.ErrUnexpectedEOF,
			effects: 1,
		},
		"a reset leaves none": {fault: faultproxy.Fault{Kind: faultproxy.Reset}, err: syscall.ECONNRESET},
		"a gateway answers for the server": {
			fault:  faultproxy.Fault{Kind: faultproxy.Status, Status: http.StatusServiceUnavailable, Body: "busy"},
			status: http.StatusServiceUnavailable, body: "busy",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShop(t)
			p := faultproxy.Start(t, s.URL)
			o := p.InjectNext(c.fault)
			status, body, err := call(t.Context(), "POST", p.URL+"/items", "sale")
			if status != c.status || body != c.body || !errors.Is(err, c.err) {
				t.Errorf("got %d %q %v", status, body, err)
			}
			<-o.Triggered()
			if got := s.effects(); got != c.effects {
				t.Errorf("%d effects, want %d", got, c.effects)
			}
			if status, _, err = call(t.Context(), "POST", p.URL+"/items", "sale"); status != http.StatusCreated || err != nil ||
				s.effects() != 1 {
				t.Errorf("sent again: %d %v, %d effects", status, err, s.effects())
			}
			if got := p.Requests(); len(got) != 2 || got[0].Fault != c.fault.Kind || got[0].Forwarded != (c.effects == 1) ||
				got[1].Replayed != (c.effects == 1) || got[0].Body != got[1].Body {
				t.Errorf("recorded %+v", got)
			}
		})
	}
}

func TestDelayedRequestOutlivesClient(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	p := faultproxy.Start(t, s.URL)
	o := p.InjectNext(faultproxy.Fault{Kind: faultproxy.Delay})
	ctx, leave := context.WithCancel(t.Context())
	gone := make(chan error, 1)
	go func() {
		_, _, err := call(ctx, "POST", p.URL+"/items", "late")
		gone <- err
	}()
	<-o.Triggered()
	leave()
	if err := <-gone; !errors.Is(err, context.Canceled) {
		t.Errorf("the client left with %v", err)
	}
	if got := s.bodies(); len(got) != 0 {
		t.Fatalf("the server got %q before the release", got)
	}
	o.Release()
	until(t, func() bool { return p.Requests()[0].Answer == http.StatusCreated })
	if got := s.bodies(); len(got) != 1 || got[0] != "late" {
		t.Errorf("the server got %q", got)
	}
}

func TestHeldResponseWaitsForRelease(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	p := faultproxy.Start(t, s.URL)
	o := p.InjectNext(faultproxy.Fault{Kind: faultproxy.Hold})
	answered := make(chan string, 1)
	go func() {
		_, body, err := call(t.Context(), "POST", p.URL+"/items", "held")
		if err != nil {
			body = err.Error()
		}
		answered <- body
	}()
	<-o.Triggered()
	if s.effects() != 1 || p.Requests()[0].Answer != http.StatusCreated {
		t.Errorf("%d effects, recorded %+v", s.effects(), p.Requests())
	}
	select {
	case body := <-answered:
		t.Errorf("answered %q before the release", body)
	default:
	}
	o.Release()
	o.Release()
	if body := <-answered; body != "made held" {
		t.Errorf("answered %q", body)
	}
}

func TestFaultsMatchRequests(t *testing.T) {
	t.Parallel()
	p := faultproxy.Start(t, newShop(t).URL)
	for _, f := range []faultproxy.Fault{
		{Kind: faultproxy.Status, Method: "PUT", Status: http.StatusTeapot},
		{Kind: faultproxy.Status, Path: `/items$`, Status: http.StatusBadGateway, Times: 2},
		{Kind: faultproxy.Status, Status: http.StatusServiceUnavailable},
	} {
		p.InjectNext(f)
	}
	for i, c := range []struct {
		method, path string
		want         int
	}{
		{"OPTIONS", "/items", http.StatusCreated}, {"POST", "/items", http.StatusBadGateway}, {"POST", "/items?x", http.StatusBadGateway},
		{"POST", "/items/1", http.StatusServiceUnavailable}, {"POST", "/items", http.StatusCreated}, {"PUT", "/items", http.StatusTeapot},
		{"PUT", "/items", http.StatusCreated},
	} {
		if got, _, err := call(t.Context(), c.method, p.URL+c.path, ""); got != c.want || err != nil {
			t.Errorf("call %d: %d %v, want %d", i, got, err, c.want)
		}
	}
}

func TestCloseDropsHeldMessages(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	p, err := faultproxy.New(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	kept := []*faultproxy.Injection{
		p.InjectNext(faultproxy.Fault{Kind: faultproxy.Delay}), p.InjectNext(faultproxy.Fault{Kind: faultproxy.Hold}),
	}
	failed := make(chan error, len(kept))
	for _, o := range kept {
		go func() {
			_, _, err := call(t.Context(), "POST", p.URL, "")
			failed <- err
		}()
		<-o.Triggered()
	}
	p.Close()
	for range kept {
		if err := <-failed; err == nil {
			t.Error("it was answered")
		}
	}
	if s.effects() != 1 {
		t.Errorf("%d effects, want that of the held answer", s.effects())
	}
}

func TestInvalidFaultIsRefused(t *testing.T) {
	t.Parallel()
	p := faultproxy.Start(t, newShop(t).URL)
	for _, body := range []string{
		`{"kind": "explode"}`, `{"kind": "drop", "status": 503}`, `{"kind": "status"}`, `{"kind": "drop", "path": "("}`,
		`{"kind": "drop", "url": "/x"}`, `{`,
	} {
		if status, said, err := call(t.Context(), "POST", p.URL+"/__faults", body); status != http.StatusBadRequest || err != nil {
			t.Errorf("%s: %d %q %v", body, status, said, err)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("Next took it")
		}
	}()
	p.InjectNext(faultproxy.Fault{Kind: "explode"})
}

func TestFaultsOverHTTP(t *testing.T) {
	t.Parallel()
	p := faultproxy.Start(t, newShop(t).URL)
	say := func(method, path, body string, status int, want string) {
		t.Helper()
		if got, said, err := call(t.Context(), method, p.URL+path, body); got != status || !strings.Contains(said, want) || err != nil {
			t.Errorf("%s %s: %d %q %v, want %d …%s…", method, path, got, said, err, status, want)
		}
	}
	say("POST", "/__faults", `{"kind": "hold", "method": "POST", "path": "/items$"}`, http.StatusCreated, `{"id":1}`)
	say("POST", "/__faults", `{"kind": "drop"}`, http.StatusCreated, `{"id":2}`)
	answered := make(chan int, 1)
	go func() {
		status, _, err := call(t.Context(), "POST", p.URL+"/items", "<over & out>")
		if err != nil {
			t.Error(err)
		}
		answered <- status
	}()
	say("POST", "/__faults/1/await", "", http.StatusOK, `{"struck":1}`)
	say("POST", "/__faults/1/release", "", http.StatusOK, `{"struck":1}`)
	if status := <-answered; status != http.StatusCreated {
		t.Errorf("answered %d", status)
	}
	say("POST", "/__faults/9/release", "", http.StatusNotFound, "no such fault")
	say("GET", "/__faults/requests", "", http.StatusOK, `"key":"`+key+`","body":"\u003cover \u0026 out\u003e"`)
	say("DELETE", "/__faults", "", http.StatusOK, `{"unmet":[{"kind":"drop"}]}`)
	say("GET", "/__faults/requests", "", http.StatusOK, `{"requests":[]}`)
	say("POST", "/items", "", http.StatusCreated, "made")
}

// until waits for what another goroutine is about to do.
func until(t *testing.T, happened func() bool) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	for !happened() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatal("it did not happen")
		}
	}
}
