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
	PollInterval time.Duration      // between polls for work while there is some, else up to 25 times as long; 0: 200 ms
	Numbered     <-chan struct{}    // receives when there are new events; nil: they are found by polling
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
	longestPoll         = 25 // poll intervals, while there is no work
	cleanupInterval     = time.Minute
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
	polls := background.Pace{Rest: every, Most: longestPoll * every}
	ctx, stop := context.WithCancel(ctx)
	all := background.Group{Task: d.task().endpoints}
	defer all.Wait()
	defer stop() // also when this loop panics: it begins again with the others
	all.Start(func() {
		pace := polls
		pace.Gap = every // a look takes in all events since the one before
		d.task().fanOut.Run(ctx, func(ctx context.Context) error { d.watch(ctx, "decided", pace, d.Numbered, d.fanOut); return nil })
	})
	all.Start(func() {
		pace := background.Pace{Rest: cleanupInterval, Most: cleanupInterval}
		d.task().fanOut.Run(ctx, func(ctx context.Context) error {
			d.watch(ctx, "tidied up", pace, nil, func(ctx context.Context) (background.Look, error) {
				more, err := d.CleanUp(ctx)
				return background.Look{More: more}, err
			})
			return nil
		})
	})
	d.watch(ctx, "made", polls, d.wakeupChannel(), func(ctx context.Context) (background.Look, error) {
		return d.startRunners(ctx, &all)
	})
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

// watch looks for work until ctx ends.
func (d *Dispatcher) watch(
	ctx context.Context, what string, pace background.Pace, told <-chan struct{}, work func(context.Context) (background.Look, error),
) {
	loop := background.Loop{
		Pace: pace, Told: told, Log: d.Log,
		Failing: "webhook deliveries cannot be " + what + "; will retry", Again: "webhook deliveries are " + what + " again",
	}
	loop.Run(ctx, func(ctx context.Context, _ bool) (background.Look, error) { return work(ctx) })
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
func (d *Dispatcher) startRunners(ctx context.Context, all *background.Group) (found background.Look, err error) {
	now := d.Now()
	due, next, err := d.Deliveries.Due(ctx, now, maxDueEndpoints)
	if err != nil {
		return found, err
	}
	if found.Busy = len(due) > 0; !next.IsZero() {
		found.Next = next.Sub(now)
	}
	d.slots.init(d.MaxInFlight)
	for _, e := range d.healthyFirst(due) {
		if p := d.acquirePacer(e.Tenant, e.Endpoint, now); p != nil {
			all.Start(func() { d.serve(ctx, e.Tenant, e.Endpoint, p) })
		}
	}
	return found, nil
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
		_, err := d.startRunners(ctx, &all)
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
