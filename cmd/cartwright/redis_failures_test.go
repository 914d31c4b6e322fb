package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers"
)

// redisOf runs a Redis that the test may harm.
func redisOf(t *testing.T) *testservers.Server {
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

// apiResponse is an answer byte for byte.
type apiResponse struct {
	status   int
	body     string
	replayed bool
}

func sendRequest(t *testing.T, method, url, body string, headers ...string) apiResponse {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Set(name, value)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return apiResponse{res.StatusCode, string(raw), res.Header.Get("Idempotency-Replayed") == "true"}
}

// cartClient fills one cart as a storefront's own server would, under a key for each call, and remembers every answer.
type cartClient struct {
	*testing.T

	urls    []string // of instances, taken in turn
	calls   int
	headers []string
	cart    string
	variant string
	first   map[string]apiResponse // by key
	sent    map[string][2]string
}

func newShopper(t *testing.T, servers ...*Server) *cartClient {
	t.Helper()
	secret := "X-API-Key: " + servers[0].NewCredentials.TestSecretKey
	_, variant := sell(t, servers[0], secret, 1000)
	p := &cartClient{T: t, headers: []string{secret}, variant: variant, first: map[string]apiResponse{}, sent: map[string][2]string{}}
	for _, s := range servers {
		p.urls = append(p.urls, s.BaseURL)
	}
	status, made := ask(t, "POST", p.urls[0]+"/api/server/commerce/carts", "{}", secret)
	if status != http.StatusCreated {
		t.Fatalf("%d %v", status, made)
	}
	p.cart = made["cart"].(map[string]any)["id"].(string)
	return p
}

func (p *cartClient) url() string {
	p.calls++
	return p.urls[p.calls%len(p.urls)]
}

// post sends a call under a new key, which has to work.
func (p *cartClient) post(path, body string) {
	p.Helper()
	key := fmt.Sprintf("ik_%032d", len(p.first))
	a := sendRequest(p.T, "POST", p.url()+"/api/server/commerce"+path, body, append(p.headers, "Idempotency-Key: "+key)...)
	if a.status != http.StatusOK && a.status != http.StatusCreated || a.replayed {
		p.Fatalf("%s: %d %s", path, a.status, a.body)
	}
	p.first[key], p.sent[key] = a, [2]string{path, body}
}

// buys adds n units, each under a key of its own, and checks the cart out.
func (p *cartClient) buys(n int) {
	p.Helper()
	for range n {
		p.post("/carts/"+p.cart+"/items", fmt.Sprintf(`{"variantId": %q, "quantity": 1}`, p.variant))
	}
	p.post("/checkouts", fmt.Sprintf(`{"cartId": %q, "email": "kim@shop.example"}`, p.cart))
}

// replayAll sends every call again. Each is answered as it was, byte for byte, and the cart holds what was put into it once.
func (p *cartClient) replayAll() {
	p.Helper()
	units := 0
	for key, was := range p.first {
		path, body := p.sent[key][0], p.sent[key][1]
		a := sendRequest(p.T, "POST", p.url()+"/api/server/commerce"+path, body, append(p.headers, "Idempotency-Key: "+key)...)
		if a.status != was.status || a.body != was.body || !a.replayed {
			p.Errorf("%s under the same key: %d, replayed %t\n%s\n%s", path, a.status, a.replayed, was.body, a.body)
		}
		if strings.HasSuffix(path, "/items") {
			units++
		}
	}
	_, shown := ask(p.T, "GET", p.url()+"/api/server/commerce/carts/"+p.cart, "", p.headers...)
	cart := shown["cart"].(map[string]any)
	if got := cart["lines"].([]any)[0].(map[string]any)["quantity"]; got != float64(units) || cart["revision"] != float64(1+units) {
		p.Errorf("%v units at revision %v, want %d", got, cart["revision"], units)
	}
}

// wantDegraded fails unless /readyz of an instance misses nothing but Redis.
func wantDegraded(t *testing.T, s *Server) {
	t.Helper()
	code, a := ask(t, "GET", s.BaseURL+"/readyz", "")
	checks, _ := a["checks"].(map[string]any)
	if code != http.StatusOK || a["status"] != "degraded" || checks["redis"] != "failed" {
		t.Errorf("%d %v, want degraded with redis failed", code, a)
	}
}

// waitForReadiness waits until /readyz finds nothing wrong: a busy Redis may miss the moment that it is given.
func waitForReadiness(t *testing.T, s *Server) {
	t.Helper()
	waitUntil(t, func() bool {
		code, a := ask(t, "GET", s.BaseURL+"/readyz", "")
		return code == http.StatusOK && a["status"] == "ok"
	})
}

// With Redis harmed in any way the product works: nothing is refused, doubled or answered differently.
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
	for name, c := range map[string]struct {
		before, harm, heal func(t *testing.T, r *testservers.Server)
		degraded           bool
	}{
		"down at the start": {
			before: func(_ *testing.T, r *testservers.Server) { r.Kill() },
			heal:   start, degraded: true,
		},
		"dies": {
			harm: func(_ *testing.T, r *testservers.Server) { r.Kill() },
			heal: start, degraded: true,
		},
		"hangs": {
			harm: func(t *testing.T, r *testservers.Server) { must(t, r.Pause()) },
			heal: func(t *testing.T, r *testservers.Server) { must(t, r.Resume()) }, degraded: true,
		},
		"hangs at the start": {
			before: func(t *testing.T, r *testservers.Server) { must(t, r.Pause()) },
			heal:   func(t *testing.T, r *testservers.Server) { must(t, r.Resume()) }, degraded: true,
		},
		"flushed": {harm: func(t *testing.T, r *testservers.Server) { must(t, r.Flush(t.Context())) }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := redisOf(t)
			if c.before != nil {
				c.before(t, r)
			}
			conf := testDefaults()
			conf.Address, conf.Data, conf.Redis, conf.BurstPerMinute = "127.0.0.1:0", t.TempDir(), r.URL, 0
			log, logged := captureLog(t)
			s := running(t, conf, time.Now, log)
			p := newShopper(t, s)
			p.buys(3)
			if c.harm != nil {
				c.harm(t, r)
			}
			p.replayAll()
			p.buys(3)
			p.replayAll()
			if !c.degraded {
				waitForReadiness(t, s)
				return
			}
			wantDegraded(t, s)
			if !strings.Contains(string(logged()), "Redis is unavailable") {
				t.Error("nobody was told")
			}
			c.heal(t, r)
			waitForReadiness(t, s)
			p.buys(1)
			p.replayAll()
		})
	}
}

// Two instances share one database and one Redis, in each of its forms. What Redis forgets, the database knows.
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
	single := redisOf(t)
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
		harm func(t *testing.T)
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
			conf.Address, conf.Data, conf.Database, conf.Redis = "127.0.0.1:0", t.TempDir(), migratedDB.Postgres(t), c.url
			log, _ := captureLog(t)
			one := running(t, conf, time.Now, log)
			other := running(t, conf, time.Now, log)
			waitForReadiness(t, one)
			waitForReadiness(t, other)
			p := newShopper(t, one, other)
			p.buys(4)
			p.replayAll()
			c.harm(t)
			p.replayAll()
			p.buys(4)
			p.replayAll()
		})
	}
}

func TestDoctorReportsBrokenRedisURL(t *testing.T) {
	t.Parallel()
	r := redisOf(t)
	if out := newCommandEnv(t).with("CARTWRIGHT_REDIS_URL", r.URL).must(t, "doctor"); !strings.Contains(out, "wrote, read and deleted test data") {
		t.Errorf("of one that works it says:\n%s", out)
	}
	for url, says := range map[string]string{
		strings.Replace(r.URL, "redis://", "redis://me:hunter2@", 1):                        "the user or the password of the URL is wrong",
		strings.TrimSuffix(strings.Replace(r.URL, "redis://", "redis+cluster://", 1), "/0"): "the URL has to begin with redis://",
		"redis://127.0.0.1:1": "connection refused",
	} {
		out, err := newCommandEnv(t).with("CARTWRIGHT_REDIS_URL", url).command(t, "doctor")
		if err == nil || !strings.Contains(out, "FAILED  CARTWRIGHT_REDIS_URL: ") || !strings.Contains(out, says) || strings.Contains(out, "hunter2") {
			t.Errorf("%v\n%s", err, out)
		}
	}
}
