package deliveries

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/app/webhooks"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

// Dispatcher makes deliveries. Its exported methods are safe for concurrent use.
type Dispatcher struct {
	Store        ports.Store
	Deliveries   ports.Deliveries
	Events       ports.EventLog
	Sender       ports.WebhookSender
	Signer       ports.WebhookSigner
	Vault        ports.Vault
	Endpoints    *webhooks.Service // reads endpoints, and disables them
	Now          func() time.Time
	NewID        func() string
	Jitter       func() float64 // a random number in [0, 1)
	Log          *slog.Logger
	Background   *background.Runner // of the tasks "webhook fan-out", "webhook endpoints" and "webhook deliveries"
	PollInterval time.Duration      // between polls for work; 0: 200 ms
	MaxInFlight  int                // concurrent requests of all tenants; 0: 512
	WriteTimeout time.Duration      // of writes that are completed even during shutdown; 0: 10 s

	tasks      tasks
	tasksOnce  sync.Once
	stats      counters
	events     eventCache
	finisher   finishBatcher
	slots      slotPool
	unsignable sync.Map // endpoints whose secrets could not be decrypted when last needed
	wakeup     chan struct{}
	wakeupOnce sync.Once

	mu     sync.Mutex
	pacers map[string]*endpointPacer // by endpoint
}

// Intervals and batch sizes of the loops.
const (
	defaultPollInterval = 200 * time.Millisecond
	cleanupInterval     = 10 * time.Second
	maxDueEndpoints     = 10_000 // examined in one round
	cleanupBatchSize    = 500    // rows per transaction
	retention           = 30 * 24 * time.Hour
	defaultWriteTimeout = 10 * time.Second // of writes that are completed even during shutdown
)

// Stats are counts since the start.
type Stats struct {
	Succeeded, Failed int64 // attempts
	Discarded         int64 // deliveries ended without an attempt
}

type counters struct{ succeeded, failed, discarded atomic.Int64 }

// Stats returns the counts so far.
func (d *Dispatcher) Stats() Stats {
	return Stats{d.stats.succeeded.Load(), d.stats.failed.Load(), d.stats.discarded.Load()}
}

// Lag is how far deliveries are behind, over all instances.
func (d *Dispatcher) Lag(ctx context.Context) (ports.DeliveryLag, error) {
	return d.Deliveries.Lag(ctx)
}

// Wake triggers an immediate poll for due deliveries.
func (d *Dispatcher) Wake() {
	select {
	case d.wakeupChannel() <- struct{}{}:
	default:
	}
}

func (d *Dispatcher) wakeupChannel() chan struct{} {
	d.wakeupOnce.Do(func() { d.wakeup = make(chan struct{}, 1) })
	return d.wakeup
}

// Run delivers until ctx ends, and waits for the requests in flight to be canceled.
func (d *Dispatcher) Run(ctx context.Context) error {
	every := d.PollInterval
	if every <= 0 {
		every = defaultPollInterval
	}
	ctx, stop := context.WithCancel(ctx)
	all := background.Group{Task: d.task().endpoints}
	defer all.Wait()
	defer stop() // also when this loop panics: it begins again with the others
	for what, work := range map[string]func(context.Context) (more bool, err error){"decided": d.FanOut, "tidied up": d.CleanUp} {
		pause := every
		if what == "tidied up" {
			pause = cleanupInterval
		}
		all.Start(func() {
			d.task().fanOut.Run(ctx, func(ctx context.Context) error { d.loop(ctx, what, pause, nil, work); return nil })
		})
	}
	d.loop(ctx, "made", every, d.wakeupChannel(), func(ctx context.Context) (bool, error) { return false, d.startRunners(ctx, &all) })
	return nil
}

// tasks are the kinds of work of a Dispatcher.
type tasks struct{ fanOut, endpoints, deliveries *background.Task }

func (d *Dispatcher) task() tasks {
	d.tasksOnce.Do(func() {
		d.tasks = tasks{
			d.Background.Task("webhook fan-out"), d.Background.Task("webhook endpoints"), d.Background.Task("webhook deliveries"),
		}
		d.finisher.task = d.tasks.deliveries
	})
	return d.tasks
}

// loop runs work every interval, when woken, and again at once while there is more.
func (d *Dispatcher) loop(
	ctx context.Context, what string, every time.Duration, woken <-chan struct{}, work func(context.Context) (more bool, err error),
) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	failing := false // a continuing failure is logged once
	for ctx.Err() == nil {
		more, err := work(ctx)
		switch {
		case err == nil && failing:
			d.Log.Info("webhook deliveries are " + what + " again")
			failing = false
		case err != nil && ctx.Err() == nil && !failing:
			d.Log.Warn("webhook deliveries cannot be "+what+"; will retry", "error", err.Error())
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

// CleanUp discards deliveries that are too old, and deletes old finished ones.
func (d *Dispatcher) CleanUp(ctx context.Context) (more bool, err error) {
	now := d.Now()
	d.evictPacers(now)
	expired, expireErr := d.Deliveries.Expire(ctx, now.Add(-webhook.MaxEventAge), now, cleanupBatchSize)
	d.stats.discarded.Add(int64(expired))
	pruned, pruneErr := d.Deliveries.Prune(ctx, now.Add(-retention), cleanupBatchSize) // whatever became of the others
	return expired == cleanupBatchSize || pruned == cleanupBatchSize, errors.Join(expireErr, pruneErr)
}

// startRunners starts a runner for each endpoint that has due deliveries and no runner yet.
func (d *Dispatcher) startRunners(ctx context.Context, all *background.Group) error {
	now := d.Now()
	due, err := d.Deliveries.Due(ctx, now, maxDueEndpoints)
	if err != nil {
		return err
	}
	d.slots.init(d.MaxInFlight)
	for _, e := range d.healthyFirst(due) {
		if p := d.acquirePacer(e.Tenant, e.Endpoint, now); p != nil {
			all.Start(func() { d.serve(ctx, e.Tenant, e.Endpoint, p) })
		}
	}
	return nil
}

// healthyFirst moves endpoints whose last request failed to the end, so that they do not take scarce slots
// from others.
func (d *Dispatcher) healthyFirst(due []ports.DueEndpoint) []ports.DueEndpoint {
	d.mu.Lock()
	defer d.mu.Unlock()
	sorted, behind := make([]ports.DueEndpoint, 0, len(due)), []ports.DueEndpoint(nil)
	for _, e := range due {
		if p := d.pacers[e.Endpoint]; p != nil && p.failing() {
			behind = append(behind, e)
			continue
		}
		sorted = append(sorted, e)
	}
	return append(sorted, behind...)
}

// writeTimeout is the timeout of a write that shutdown does not cancel.
func (d *Dispatcher) writeTimeout() time.Duration {
	if d.WriteTimeout > 0 {
		return d.WriteTimeout
	}
	return defaultWriteTimeout
}

// RunOnce fans out and delivers everything due now, and returns when it is done. Run repeats this.
func (d *Dispatcher) RunOnce(ctx context.Context) error {
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
		all := background.Group{Task: d.task().endpoints}
		err := d.startRunners(ctx, &all)
		all.Wait()
		select {
		case <-d.wakeupChannel():
		default:
			return err
		}
	}
}

// loadEndpoint loads an endpoint. Errors: ports.ErrNotFound.
func (d *Dispatcher) loadEndpoint(ctx context.Context, of tenant.ID, id string) (e endpoint, err error) {
	r, err := d.Store.Read(ports.ForTenant(of)).Get(ctx, webhook.Endpoints, id)
	if err != nil {
		return e, err
	}
	return endpoint{d.Endpoints.Endpoint(r), r}, nil
}
