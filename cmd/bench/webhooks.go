package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// webhooksPart needs a shop without endpoints.
const webhooksPart = "webhooks"

const (
	respondingEndpoints = 8 // endpoints that answer at once
	hangingEndpoints    = 2 // endpoints that never answer
	perEndpoint         = 4
	plainBody           = 700 // bytes: about what a delivery of a brand has
	calmEvents          = 200
	// webhookRounds is the number of rounds with hanging endpoints, and without.
	webhookRounds  = 2
	profileLength  = 10 * time.Second
	webhookTimeout = 10 * time.Minute
)

// webhookReceiver serves the webhook endpoints of a shop.
type webhookReceiver struct {
	mu    sync.Mutex
	want  int
	delay []time.Duration // from an event to its arrival
	full  chan struct{}
	ended chan struct{} // closed to end hanging requests
}

// ServeHTTP implements http.Handler.
func (a *webhookReceiver) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if r.URL.Path == "/plain" {
		return
	}
	if r.URL.Path == "/hangs" {
		select {
		case <-a.ended:
		case <-r.Context().Done():
		}
		return
	}
	const stamp = `"createdAt":"`
	_, text, _ := bytes.Cut(body, []byte(stamp))
	at, bad := time.Parse(time.RFC3339, string(text[:min(len(text), len("2026-01-31T09:00:00.000Z"))]))
	if err != nil || bad != nil {
		http.Error(w, "not an event", http.StatusBadRequest)
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.delay = append(a.delay, time.Since(at)); len(a.delay) == a.want {
		close(a.full)
	}
}

// expect starts counting from zero.
func (a *webhookReceiver) expect(n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.want, a.delay, a.full = n, make([]time.Duration, 0, n), make(chan struct{})
}

// webhooks measures how fast events reach endpoints, and how much hanging endpoints delay the others.
func (p *benchConfig) webhooks(ctx context.Context, s *testbed, database string) (err error) {
	at, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	events := &webhookReceiver{ended: make(chan struct{})}
	receiver := &http.Server{Handler: events, ReadHeaderTimeout: time.Minute}
	var serving sync.WaitGroup
	serving.Go(func() { _ = receiver.Serve(at) }) // ends with Close
	defer func() {
		close(events.ended)
		err = errors.Join(err, receiver.Close())
		serving.Wait()
	}()
	h := &webhookLoad{
		benchConfig: p, set: s, database: database, receiver: events, at: at.Addr().String(),
		post: newHTTPClient(s.server.URL, idleClients),
	}
	return h.measure(ctx)
}

// webhookLoad is a server with webhook endpoints.
type webhookLoad struct {
	*benchConfig

	set      *testbed
	database string
	receiver *webhookReceiver
	at       string // address of the endpoints
	post     *httpClient
}

// deliveryLag is the delay between events and deliveries, and the deliveries per second.
type deliveryLag struct {
	perSec   float64
	p50, p99 time.Duration
}

// measure writes events as fast as possible, and then a few per second, in turns without and with two hanging
// endpoints.
func (h *webhookLoad) measure(ctx context.Context) error {
	if _, err := h.createEndpoints(respondingEndpoints, "responding"); err != nil {
		return err
	}
	hang, err := h.createEndpoints(hangingEndpoints, "hangs")
	if err != nil {
		return err
	}
	limit := h.receiverLimit(ctx)
	fmt.Println(limit)
	var flood, calm [2][]deliveryLag
	for range webhookRounds {
		for hanging, title := range []string{"none hangs", "two more hang"} {
			if err := h.setEndpointsEnabled(ctx, hang, hanging == 1); err != nil {
				return err
			}
			got, err := h.emitEvents(ctx,
				fmt.Sprintf("%s, %d events at once to %d endpoints, %s", h.database, h.events, respondingEndpoints, title), h.events, 0)
			if err != nil {
				return err
			}
			flood[hanging] = append(flood[hanging], got)
			if got, err = h.emitEvents(ctx, fmt.Sprintf("%s, %d events, 20 a second, to %d endpoints, %s", h.database, calmEvents, respondingEndpoints, title), calmEvents, time.Second/20); err != nil { //nolint:mnd // as it says
				return err
			}
			calm[hanging] = append(calm[hanging], got)
		}
	}
	ratio := func(of func(deliveryLag) float64, in [2][]deliveryLag) float64 {
		return mean(of, in[1]) / mean(of, in[0])
	}
	perSec := func(l deliveryLag) float64 { return l.perSec }
	p50, p99 := func(l deliveryLag) float64 { return l.p50.Seconds() }, func(l deliveryLag) float64 { return l.p99.Seconds() }
	fmt.Printf("%s, webhooks: with two hanging endpoints %.2f× the deliveries per second; delay of events at once p50 %.2f× p99 %.2f×, of 20 events per second p50 %.2f× p99 %.2f×; deliveries are %.2f of the plain requests\n",
		h.database, ratio(perSec, flood), ratio(p50, flood), ratio(p99, flood), ratio(p50, calm), ratio(p99, calm),
		mean(perSec, flood[0])/limit.perSec)
	return nil
}

func mean(of func(deliveryLag) float64, in []deliveryLag) (sum float64) {
	for _, l := range in {
		sum += of(l) / float64(len(in))
	}
	return sum
}

// setEndpointsEnabled enables or disables endpoints, and waits until no deliveries are pending for disabled
// ones.
func (h *webhookLoad) setEndpointsEnabled(ctx context.Context, endpoints []string, on bool) error {
	for _, id := range endpoints {
		var changed struct{}
		if err := h.post.expect(http.StatusOK, request{
			method: "PATCH", path: "/api/webhook-endpoints/" + id, secret: h.set.credentials.SecretKey,
			body: fmt.Appendf(nil, `{"enabled":%t}`, on),
		}, &changed); err != nil {
			return err
		}
	}
	for began := time.Now(); !on; time.Sleep(time.Second) {
		var metrics string
		if _, err := h.post.do(request{method: "GET", path: "/metrics"}, func(b []byte) { metrics = string(b) }); err != nil {
			return err
		}
		if strings.Contains(metrics, "cartwright_webhook_pending 0\n") {
			return nil
		}
		if ctx.Err() != nil || time.Since(began) > webhookTimeout {
			return fmt.Errorf("deliveries to disabled endpoints are still pending: %w", context.DeadlineExceeded)
		}
	}
	return nil
}

// receiverLimit is how many requests of that size the same receiver accepts per second from a program that
// does nothing else.
func (h *webhookLoad) receiverLimit(ctx context.Context) result {
	body := bytes.Repeat([]byte("x"), plainBody)
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: respondingEndpoints * perEndpoint}}
	defer client.CloseIdleConnections()
	own := &cpuMeter{of: selfOnly}
	own.begin()
	r := runClients("plain requests", respondingEndpoints*perEndpoint, h.length, func(int, int) error {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+h.at+"/plain", bytes.NewReader(body))
		if err != nil {
			return err
		}
		res, err := client.Do(req)
		if err != nil {
			return err
		}
		_, err = io.Copy(io.Discard, res.Body)
		return errors.Join(err, res.Body.Close())
	})
	own.end(&r)
	return r
}

// createEndpoints creates n endpoints.
func (h *webhookLoad) createEndpoints(n int, path string) (ids []string, err error) {
	for range n {
		var created struct{ Doc struct{ ID string } }
		body := fmt.Appendf(nil, `{"url":"http://%s/%s","collections":["brands"]}`, h.at, path)
		if err := h.post.expect(http.StatusCreated, request{
			method: "POST", path: "/api/webhook-endpoints", secret: h.set.credentials.SecretKey, body: body,
		}, &created); err != nil {
			return nil, err
		}
		ids = append(ids, created.Doc.ID)
	}
	return ids, nil
}

// emitEvents creates events, at an interval or all at once, and waits until all responding endpoints have
// received them.
func (h *webhookLoad) emitEvents(ctx context.Context, title string, events int, every time.Duration) (deliveryLag, error) {
	h.receiver.expect(respondingEndpoints * events)
	used := result{count: respondingEndpoints * events}
	cpu := &cpuMeter{of: h.set.processes()}
	cpu.begin()
	began := time.Now()
	traced := func() error { return nil }
	if every == 0 {
		traced = profile(ctx, h.set.debug, h.profilePath(webhooksPart), profileLength)
	}
	err := runEach(events, func(_, i int) error {
		time.Sleep(time.Until(began.Add(time.Duration(i) * every)))
		var created struct{}
		return h.post.expect(http.StatusCreated, request{
			method: "POST", path: "/api/brands", secret: h.set.credentials.SecretKey, body: fmt.Appendf(nil, `{"name":"Bench %d"}`, i),
		}, &created)
	})
	if err != nil {
		return deliveryLag{}, err
	}
	written := time.Since(began)
	select {
	case <-h.receiver.full:
	case <-ctx.Done():
		return deliveryLag{}, ctx.Err()
	case <-time.After(webhookTimeout):
		return deliveryLag{}, fmt.Errorf("%s: not all deliveries arrived in %v", title, webhookTimeout)
	}
	took := time.Since(began)
	cpu.end(&used)
	if err := traced(); err != nil {
		return deliveryLag{}, err
	}
	got := h.receiver.lag(took)
	fmt.Printf("%-72s %6.0f deliveries/s in %5.1f s (events written in %.1f s)   delay p50 %v p99 %v   %s\n",
		title, got.perSec, took.Seconds(), written.Seconds(), got.p50.Round(time.Millisecond), got.p99.Round(time.Millisecond), used.cpu)
	return got, nil
}

// lag is the deliveries since expect.
func (a *webhookReceiver) lag(took time.Duration) deliveryLag {
	a.mu.Lock()
	defer a.mu.Unlock()
	slices.Sort(a.delay)
	n := len(a.delay)
	return deliveryLag{float64(n) / took.Seconds(), a.delay[n/2], a.delay[n*99/100]} //nolint:mnd // the median, and the slowest of a hundred
}
