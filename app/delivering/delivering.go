// Package delivering tells endpoints what happened: it decides from the log of events who is told of what, and makes the
// requests. Contract 10, Engineering 11.
//
// Every instance runs it. What is decided for a tenant is stored together with the place in the log up to which it was; two
// instances that decide the same differ in that place, and one of them goes on where the other is. What is to be sent is
// claimed, so that it is sent by one instance at a time, and again by another when the claim runs out: at least once.
//
// Endpoints do not wait for each other. Each has a runner of its own while it has something due, and its own width, how
// many requests it gets at a time: one more with each success, half as many after a failure. Within that width requests do
// not wait for each other either. An endpoint that fails again and again is left alone for a while, longer each time, and
// then tried with a single request. So one that hangs costs a few connections, however much is due for it. What ended is
// stored together, whoever it was for.
//
// All requests together have a bound, and each tenant a share of it, so that one with thousands of endpoints that hang
// delays its own deliveries and nobody else's. Only an endpoint with a place for a request has a runner. Where this server
// itself fails – its database, its open files, its end – the endpoint is not blamed: no attempt is counted, and what was
// claimed is made later. A secret that cannot be opened is an attempt that failed, for the shop to see and to mend.
//
// What a person is to be sent, a token, is enclosed with the first delivery of its event, for endpoints that name the
// collection, and forgotten once it was delivered. A delivery that an operator asks for again carries none. Engineering 18.
package delivering

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cartwright-dev/cartwright/app/hooking"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

// Delivering makes deliveries. Run and the other exported methods may be used by many goroutines.
type Delivering struct {
	Store      ports.Store
	Deliveries ports.Deliveries
	Events     ports.EventLog
	Sender     ports.WebhookSender
	Signer     ports.WebhookSigner
	Vault      ports.Vault
	Hooking    *hooking.Hooking // knows endpoints, and switches them off
	Now        func() time.Time
	NewID      func() string
	Jitter     func() float64 // a random number from 0 to below 1
	Log        *slog.Logger
	Every      time.Duration // between two looks for work; 0: 200 ms
	InFlight   int           // requests at a time, of all tenants; 0: 512
	Patience   time.Duration // with a database, for what must be written though the program ends; 0: 10 s

	stats  stats
	bodies bodies
	ends   ends
	places places
	sealed sync.Map // endpoints whose secrets could not be opened when they were needed last
	woken  chan struct{}
	once   sync.Once

	mu      sync.Mutex
	running map[string]*pace // by endpoint
}

// The paces of the loops, and their bounds.
const (
	lookEvery    = 200 * time.Millisecond
	tidyEvery    = 10 * time.Second
	endpointsDue = 10_000 // that are looked at in one round
	tidyAtOnce   = 500    // rows of one transaction
	keptFor      = 30 * 24 * time.Hour
	finishLimit  = 10 * time.Second // for what must be written though the program ends
)

// Stats count since the start.
type Stats struct {
	Succeeded, Failed int64 // attempts
	Discarded         int64 // deliveries that were given up without one
}

type stats struct{ succeeded, failed, discarded atomic.Int64 }

// Stats are the counts so far.
func (d *Delivering) Stats() Stats {
	return Stats{d.stats.succeeded.Load(), d.stats.failed.Load(), d.stats.discarded.Load()}
}

// Lag tells how far deliveries are behind, of all instances.
func (d *Delivering) Lag(ctx context.Context) (ports.DeliveryLag, error) {
	return d.Deliveries.Lag(ctx)
}

// Wake has what is due looked for at once.
func (d *Delivering) Wake() {
	select {
	case d.wake() <- struct{}{}:
	default:
	}
}

func (d *Delivering) wake() chan struct{} {
	d.once.Do(func() { d.woken = make(chan struct{}, 1) })
	return d.woken
}

// Run delivers until ctx ends, and waits for the requests under way to be given up.
func (d *Delivering) Run(ctx context.Context) error {
	every := d.Every
	if every <= 0 {
		every = lookEvery
	}
	var all sync.WaitGroup
	defer all.Wait()
	all.Go(func() { d.repeat(ctx, "decided", every, nil, d.FanOut) })
	all.Go(func() { d.repeat(ctx, "tidied up", tidyEvery, nil, d.Tidy) })
	d.repeat(ctx, "made", every, d.wake(), func(ctx context.Context) (bool, error) { return false, d.dispatch(ctx, &all) })
	return nil
}

// repeat does work every so often, when it is woken, and again at once while there is more.
func (d *Delivering) repeat(ctx context.Context, what string, every time.Duration, woken <-chan struct{}, work func(context.Context) (more bool, err error)) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	failing := false // of a database that is away it is enough to tell once
	for ctx.Err() == nil {
		more, err := work(ctx)
		switch {
		case err == nil && failing:
			d.Log.Info("webhook deliveries are " + what + " again")
			failing = false
		case err != nil && ctx.Err() == nil && !failing:
			d.Log.Warn("webhook deliveries cannot be "+what+"; it is tried on", "error", err.Error())
			failing = true
		}
		if err == nil && more {
			continue
		}
		select {
		case <-ctx.Done():
		case <-woken:
		case <-tick.C:
		}
	}
}

// Tidy gives up what is too old, and forgets what ended long ago.
func (d *Delivering) Tidy(ctx context.Context) (more bool, err error) {
	now := d.Now()
	d.forgetPaces(now)
	expired, err := d.Deliveries.Expire(ctx, now.Add(-webhook.Backlog), now, tidyAtOnce)
	if err != nil {
		return false, err
	}
	d.stats.discarded.Add(int64(expired))
	pruned, err := d.Deliveries.Prune(ctx, now.Add(-keptFor), tidyAtOnce)
	return err == nil && (expired == tidyAtOnce || pruned == tidyAtOnce), err
}

// dispatch starts a runner for each endpoint that has something due and none yet.
func (d *Delivering) dispatch(ctx context.Context, all *sync.WaitGroup) error {
	now := d.Now()
	due, err := d.Deliveries.Due(ctx, now, endpointsDue)
	if err != nil {
		return err
	}
	d.places.open(d.InFlight)
	for _, e := range d.wellFirst(due) {
		if p := d.take(e.Tenant, e.Endpoint, now); p != nil {
			all.Go(func() { d.serve(ctx, e.Tenant, e.Endpoint, p) })
		}
	}
	return nil
}

// wellFirst moves endpoints behind those that did not fail last: where places are short they wait for nobody who hangs.
func (d *Delivering) wellFirst(due []ports.DueEndpoint) []ports.DueEndpoint {
	d.mu.Lock()
	defer d.mu.Unlock()
	sorted, behind := make([]ports.DueEndpoint, 0, len(due)), []ports.DueEndpoint(nil)
	for _, e := range due {
		if p := d.running[e.Endpoint]; p != nil && p.failing() {
			behind = append(behind, e)
			continue
		}
		sorted = append(sorted, e)
	}
	return append(sorted, behind...)
}

// patience is how long a write may take that nobody can give up.
func (d *Delivering) patience() time.Duration {
	if d.Patience > 0 {
		return d.Patience
	}
	return finishLimit
}

// Round decides and delivers all that there is at this moment, and returns when that is done: what Run repeats.
func (d *Delivering) Round(ctx context.Context) error {
	for {
		more, err := d.FanOut(ctx)
		if err != nil {
			return err
		}
		if !more {
			break
		}
	}
	for {
		var all sync.WaitGroup
		err := d.dispatch(ctx, &all)
		all.Wait()
		select {
		case <-d.wake():
		default:
			return err
		}
	}
}

// endpoint reads an endpoint. Errors: ports.ErrAbsent.
func (d *Delivering) endpoint(ctx context.Context, of tenant.ID, id string) (e endpoint, err error) {
	r, err := d.Store.Read(ports.Of(of)).Get(ctx, webhook.Endpoints, id)
	if err != nil {
		return e, err
	}
	return endpoint{d.Hooking.Endpoint(r), r}, nil
}

// gone reports whether nothing was found.
func gone(err error) bool { return errors.Is(err, ports.ErrAbsent) }
