package payment_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// provider is a transport without a network, for tests with a fake clock. A connection is a host.
type provider struct {
	mu    sync.Mutex
	asked map[string]int                           // calls made, by host
	says  map[string]func(ctx context.Context) int // response status; 0 is no response
}

func newProvider() *provider {
	return &provider{asked: map[string]int{}, says: map[string]func(context.Context) int{}}
}

func (p *provider) RoundTrip(r *http.Request) (*http.Response, error) {
	p.mu.Lock()
	p.asked[r.URL.Host]++
	say := p.says[r.URL.Host]
	p.mu.Unlock()
	if status := say(r.Context()); status != 0 {
		return &http.Response{StatusCode: status, Header: http.Header{}, Body: http.NoBody, Request: r}, nil
	}
	return nil, errors.Join(errors.New("no answer"), r.Context().Err())
}

func (p *provider) say(host string, say func(context.Context) int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.says[host] = say
}

// calls is the number of calls of c1.
func (p *provider) calls() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.asked["c1"]
}

func status(n int) func(context.Context) int { return func(context.Context) int { return n } }

func hang(ctx context.Context) int {
	<-ctx.Done()
	return 0
}

func ask(ctx context.Context, c *payment.Client, connection string) error {
	_, err := c.Do(ctx, payment.Request{Connection: connection, Method: http.MethodGet, URL: "http://" + connection, Lookup: true})
	return err
}

// fails makes calls of c1 that reach the provider and get no response.
func (p *provider) fails(t *testing.T, c *payment.Client, times int) {
	t.Helper()
	before := p.calls()
	for range times {
		if err := ask(t.Context(), c, "c1"); !errors.Is(err, ports.ErrProviderUnavailable) {
			t.Errorf("a broken provider: %v", err)
		}
	}
	if made := p.calls() - before; made != times {
		t.Errorf("%d calls were made, want %d", made, times)
	}
}

// refuses makes a call of c1 that must be refused without reaching the provider.
func (p *provider) refuses(t *testing.T, c *payment.Client) {
	t.Helper()
	before, at := p.calls(), time.Now()
	if err := ask(t.Context(), c, "c1"); !errors.Is(err, ports.ErrProviderUnavailable) {
		t.Errorf("while the circuit is open: %v", err)
	}
	if p.calls() != before || !time.Now().Equal(at) {
		t.Errorf("%d calls were made, after %s", p.calls()-before, time.Since(at))
	}
}

func TestRepeatedFailuresOpenTheCircuit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newProvider()
		c := payment.NewClient(payment.Limits{}, p)
		p.say("c1", status(500))
		p.say("c2", status(200))
		p.fails(t, c, 4)
		time.Sleep(34 * time.Second) // the window moves in steps of a tenth of its length
		p.fails(t, c, 5)
		for range 3 {
			p.refuses(t, c)
		}
		if err := ask(t.Context(), c, "c2"); err != nil {
			t.Errorf("another connection: %v", err)
		}
		time.Sleep(10*time.Second + time.Millisecond)
		p.fails(t, c, 1) // the probe
		p.refuses(t, c)
		time.Sleep(10*time.Second + time.Millisecond)
		p.say("c1", status(200))
		for range 3 {
			if err := ask(t.Context(), c, "c1"); err != nil {
				t.Errorf("after a probe that was answered: %v", err)
			}
		}
	})
}

func TestHalfOpenCircuitAllowsOneProbe(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newProvider()
		c := payment.NewClient(payment.Limits{}, p)
		p.say("c1", status(503))
		p.fails(t, c, 5)
		time.Sleep(10*time.Second + time.Millisecond)
		p.say("c1", hang)
		ctx, leave := context.WithCancel(t.Context())
		probe := make(chan error)
		go func() { probe <- ask(ctx, c, "c1") }()
		synctest.Wait()
		p.refuses(t, c)
		leave() // a canceled probe does not count; the next call is the probe
		if err := <-probe; !errors.Is(err, ports.ErrProviderUnavailable) {
			t.Error(err)
		}
		p.say("c1", status(200))
		if err := ask(t.Context(), c, "c1"); err != nil {
			t.Errorf("the probe after a canceled one: %v", err)
		}
		if c.CircuitOpen("c1") || len(c.Circuits()) != 1 || c.Circuits()[0].State != ports.CircuitClosed {
			t.Errorf("%+v", c.Circuits())
		}
	})
}

func TestDeclinesAndGoneCallersAreNotFailures(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newProvider()
		c := payment.NewClient(payment.Limits{}, p)
		p.say("c1", status(402))
		for range 20 {
			if err := ask(t.Context(), c, "c1"); err != nil {
				t.Errorf("a refusal is an answer: %v", err)
			}
		}
		p.say("c1", hang)
		for range 20 {
			ctx, leave := context.WithCancel(t.Context())
			time.AfterFunc(time.Second, leave)
			if err := ask(ctx, c, "c1"); !errors.Is(err, ports.ErrProviderUnavailable) {
				t.Error(err)
			}
		}
		for range 20 {
			ctx, leave := context.WithTimeout(t.Context(), time.Second) // most of its time had passed before
			if err := ask(ctx, c, "c1"); !errors.Is(err, ports.ErrProviderUnavailable) {
				t.Error(err)
			}
			leave()
		}
		p.say("c1", status(500))
		p.fails(t, c, 5) // all of them are made
		p.refuses(t, c)
		p.say("c2", hang)
		for range 5 {
			ctx, leave := context.WithTimeout(t.Context(), time.Minute)
			_ = ask(ctx, c, "c2") // our own limit ends it
			leave()
		}
		if !c.CircuitOpen("c2") {
			t.Error("the circuit of a hanging provider is closed")
		}
	})
}

// A hanging provider blocks as many calls as it has slots; as many more wait for a moment, and the rest are
// refused at once. Other connections are not affected.
func TestHangingProviderIsBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newProvider()
		c := payment.NewClient(payment.Limits{Concurrency: 3}, p)
		p.say("c1", hang)
		p.say("c2", status(200))
		began := time.Now()
		var all sync.WaitGroup
		var mu sync.Mutex
		took := map[time.Duration]int{}
		for range 10 {
			all.Go(func() {
				if err := ask(t.Context(), c, "c1"); !errors.Is(err, ports.ErrProviderUnavailable) {
					t.Error(err)
				}
				mu.Lock()
				defer mu.Unlock()
				took[time.Since(began)]++
			})
		}
		synctest.Wait()
		if at := c.Circuits(); len(at) != 1 || at[0].InFlight != 3 || p.calls() != 3 {
			t.Errorf("%+v, %d calls", at, p.calls())
		}
		if err := ask(t.Context(), c, "c2"); err != nil || time.Now() != began {
			t.Errorf("another connection waited %s: %v", time.Since(began), err)
		}
		all.Wait()
		if took[0] != 4 || took[time.Second] != 3 || took[5*time.Second] != 3 || p.calls() != 3 {
			t.Errorf("calls ended after %v, %d were made", took, p.calls())
		}
	})
}

// Ready tells without a call whether one would be made: not while the circuit is open, and not when a
// provider has not responded for longer than the queue timeout. A provider that is merely busy is ready:
// waiting calls get their turn.
func TestReadyMakesNoCall(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newProvider()
		c := payment.NewClient(payment.Limits{Concurrency: 2, MaxFailures: 4}, p)
		ready := func(want bool, when string) {
			t.Helper()
			err := c.Ready("c1")
			if asked := !errors.Is(err, ports.ErrProviderUnavailable) || !errors.Is(err, ports.ErrNotSent); (err == nil) != want ||
				err != nil && asked {
				t.Errorf("%s: %v", when, err)
			}
		}
		ready(true, "before the first call")
		p.say("c1", hang)
		var all sync.WaitGroup
		for range 2 {
			all.Go(func() { _ = ask(t.Context(), c, "c1") }) // uses up its time
		}
		synctest.Wait()
		ready(true, "all slots were just taken")
		time.Sleep(1100 * time.Millisecond)
		ready(false, "all slots are taken without a response")
		all.Wait()
		ready(true, "and ended")
		p.fails(t, c, 2)
		if !c.CircuitOpen("c1") {
			t.Fatal("the circuit is closed")
		}
		before := p.calls()
		ready(false, "the circuit is open")
		time.Sleep(11 * time.Second)
		ready(true, "the circuit is half open")
		p.say("c1", status(200))
		if err := ask(t.Context(), c, "c1"); err != nil {
			t.Error(err)
		}
		ready(true, "after a response")
		if made := p.calls() - before; made != 1 {
			t.Errorf("%d calls were made", made)
		}
	})
}

// Time in the queue does not count as call time: congestion on our side is not a failure of the provider.
func TestQueueTimeIsNotCallTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newProvider()
		c := payment.NewClient(payment.Limits{Concurrency: 1, MaxFailures: 1, LookupTimeout: time.Second}, p)
		p.say("c1", func(context.Context) int {
			time.Sleep(900 * time.Millisecond)
			return 200
		})
		var all sync.WaitGroup
		for range 2 {
			all.Go(func() {
				if err := ask(t.Context(), c, "c1"); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if c.CircuitOpen("c1") {
			t.Error("the circuit opened")
		}
	})
}

func TestUnusedBulkheadsAreEvicted(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newProvider()
		c := payment.NewClient(payment.Limits{}, p)
		p.say("broken", status(500))
		for i := range 20_000 {
			p.say(fmt.Sprint(i), status(200))
			if err := ask(t.Context(), c, fmt.Sprint(i)); err != nil {
				t.Fatal(err)
			}
			if i%100 == 0 {
				time.Sleep(4 * time.Second)
				_ = ask(t.Context(), c, "broken")
			}
		}
		if n := len(c.Circuits()); n > 2100 {
			t.Errorf("%d bulkheads are kept", n)
		}
		if !c.CircuitOpen("broken") {
			t.Error("an open circuit was evicted")
		}
	})
}
