package program

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers"
)

// startRedis starts a Redis of the test's own, which it may stop or flush.
func startRedis(t *testing.T) *testservers.Server {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	s, err := testservers.StartRedis(ctx)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// cartClient fills one cart as the server of a shop would, with an idempotency key for each call, and keeps every
// response.
type cartClient struct {
	*testing.T

	urls    []string // of instances, used in turn
	calls   int
	headers []string
	cart    string
	variant string
	first   map[string]apiResponse // first response, by key
	sent    map[string][2]string   // path and body, by key
}

func newCartClient(t *testing.T, servers ...*Server) *cartClient {
	t.Helper()
	secret := "X-API-Key: " + servers[0].NewCredentials.TestSecretKey
	_, variant := sell(t, servers[0], secret, 1000)
	p := &cartClient{T: t, headers: []string{secret}, variant: variant, first: map[string]apiResponse{}, sent: map[string][2]string{}}
	for _, s := range servers {
		p.urls = append(p.urls, s.BaseURL)
	}
	status, created := requestJSON(t, "POST", p.urls[0]+"/api/server/commerce/carts", "{}", secret)
	if status != http.StatusCreated {
		t.Fatalf("%d %v", status, created)
	}
	p.cart = created["cart"].(map[string]any)["id"].(string)
	return p
}

func (p *cartClient) url() string {
	p.calls++
	return p.urls[p.calls%len(p.urls)]
}

// post sends a call with a new key; it fails the test if the call fails.
func (p *cartClient) post(path, body string) {
	p.Helper()
	key := fmt.Sprintf("ik_%032d", len(p.first))
	a := sendRequest(p.T, "POST", p.url()+"/api/server/commerce"+path, body, append(p.headers, "Idempotency-Key: "+key)...)
	if a.status != http.StatusOK && a.status != http.StatusCreated || a.replayed {
		p.Fatalf("%s: %d %s", path, a.status, a.body)
	}
	p.first[key], p.sent[key] = a, [2]string{path, body}
}

// buy adds n units, each with a call of its own, and checks the cart out.
func (p *cartClient) buy(n int) {
	p.Helper()
	for range n {
		p.post("/carts/"+p.cart+"/items", fmt.Sprintf(`{"variantId": %q, "quantity": 1}`, p.variant))
	}
	p.post("/checkouts", fmt.Sprintf(`{"cartId": %q, "email": "kim@shop.example"}`, p.cart))
}

// replayAll repeats every call. Each is answered exactly as the first time, and the cart does not change.
func (p *cartClient) replayAll() {
	p.Helper()
	units := 0
	for key, first := range p.first {
		path, body := p.sent[key][0], p.sent[key][1]
		a := sendRequest(p.T, "POST", p.url()+"/api/server/commerce"+path, body, append(p.headers, "Idempotency-Key: "+key)...)
		if a.status != first.status || a.body != first.body || !a.replayed {
			p.Errorf("%s with the same key: %d, replayed %t\n%s\n%s", path, a.status, a.replayed, first.body, a.body)
		}
		if strings.HasSuffix(path, "/items") {
			units++
		}
	}
	_, shown := requestJSON(p.T, "GET", p.url()+"/api/server/commerce/carts/"+p.cart, "", p.headers...)
	cart := shown["cart"].(map[string]any)
	if got := cart["lines"].([]any)[0].(map[string]any)["quantity"]; got != float64(units) || cart["revision"] != float64(1+units) {
		p.Errorf("%v units at revision %v, want %d", got, cart["revision"], units)
	}
}

// wantDegraded fails the test unless only the Redis check of /readyz fails.
func wantDegraded(t *testing.T, s *Server) {
	t.Helper()
	code, a := requestJSON(t, "GET", s.BaseURL+"/readyz", "")
	checks, _ := a["checks"].(map[string]any)
	if code != http.StatusOK || a["status"] != "degraded" || checks["redis"] != "failed" {
		t.Errorf("%d %v, want degraded with redis failed", code, a)
	}
}

// waitForReadiness waits until all checks of /readyz pass: a busy Redis may exceed the time limit of its check.
func waitForReadiness(t *testing.T, s *Server) {
	t.Helper()
	waitUntil(t, func() bool {
		code, a := requestJSON(t, "GET", s.BaseURL+"/readyz", "")
		return code == http.StatusOK && a["status"] == "ok"
	})
}

// redisFailure is something that happens to Redis, before the server starts or while it runs. Before and fail may be
// nil; recover is needed if readiness becomes degraded.
type redisFailure struct {
	before, fail, recover func(t *testing.T, r *testservers.Server)
	degraded              bool
}

// Whatever happens to Redis, no request is refused, takes effect twice or is answered differently.
func TestRedisFailureLosesNoRequest(t *testing.T) {
	t.Parallel()
	start := func(t *testing.T, r *testservers.Server) {
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		if err := r.Start(ctx); err != nil {
			t.Fatal(err)
		}
	}
	must := func(t *testing.T, err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]redisFailure{
		"down at the start": {
			before:  func(_ *testing.T, r *testservers.Server) { r.Kill() },
			recover: start, degraded: true,
		},
		"dies": {
			fail:    func(_ *testing.T, r *testservers.Server) { r.Kill() },
			recover: start, degraded: true,
		},
		"hangs": {
			fail:    func(t *testing.T, r *testservers.Server) { must(t, r.Pause()) },
			recover: func(t *testing.T, r *testservers.Server) { must(t, r.Resume()) }, degraded: true,
		},
		"hangs at the start": {
			before:  func(t *testing.T, r *testservers.Server) { must(t, r.Pause()) },
			recover: func(t *testing.T, r *testservers.Server) { must(t, r.Resume()) }, degraded: true,
		},
		"flushed": {fail: func(t *testing.T, r *testservers.Server) { must(t, r.Flush(t.Context())) }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.checkRequests(t)
		})
	}
}

// checkRequests makes requests before, during and after the failure, and repeats them.
func (c redisFailure) checkRequests(t *testing.T) {
	t.Helper()
	r := startRedis(t)
	if c.before != nil {
		c.before(t, r)
	}
	conf := testDefaults()
	conf.Address, conf.Data, conf.Redis, conf.BurstPerMinute = "127.0.0.1:0", t.TempDir(), r.URL, 0
	log, logged := captureLog(t)
	s := startServer(t, conf, time.Now, log)
	p := newCartClient(t, s)
	p.buy(3)
	if c.fail != nil {
		c.fail(t, r)
	}
	p.replayAll()
	p.buy(3)
	p.replayAll()
	if !c.degraded {
		waitForReadiness(t, s)
		return
	}
	wantDegraded(t, s)
	if !strings.Contains(string(logged()), "Redis is unavailable") {
		t.Error("the outage was not logged")
	}
	c.recover(t, r)
	waitForReadiness(t, s)
	p.buy(1)
	p.replayAll()
}

// Two instances share a database and a Redis: a single server, a cluster or one with sentinels. Losing data in Redis
// changes no response.
func TestInstancesShareEveryRedisTopology(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cluster, err := testservers.StartRedisCluster(ctx, 3)
	if err != nil {
		t.Fatal(err)
	}
	sentinel, err := testservers.StartRedisSentinel(ctx)
	if err != nil {
		t.Fatal(err)
	}
	single := startRedis(t)
	t.Cleanup(func() {
		if err := cluster.Stop(); err != nil {
			t.Error(err)
		}
		if err := sentinel.Stop(); err != nil {
			t.Error(err)
		}
	})
	for name, c := range map[string]struct {
		url  string
		fail func(t *testing.T)
	}{
		"a single server": {single.URL, func(t *testing.T) {
			if err := single.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
		}},
		"a cluster that loses a node":    {cluster.URL, func(*testing.T) { cluster.Nodes[1].Kill() }},
		"sentinels that lose the master": {sentinel.URL, func(*testing.T) { sentinel.Master.Kill() }},
	} {
		t.Run(name, func(t *testing.T) {
			conf := testDefaults()
			conf.Address, conf.Redis = "127.0.0.1:0", c.url
			conf.Database, conf.Data = demoDatabase(t)
			log, _ := captureLog(t)
			one := startServer(t, conf, time.Now, log)
			other := startServer(t, conf, time.Now, log)
			waitForReadiness(t, one)
			waitForReadiness(t, other)
			p := newCartClient(t, one, other)
			p.buy(4)
			p.replayAll()
			c.fail(t)
			p.replayAll()
			p.buy(4)
			p.replayAll()
		})
	}
}
