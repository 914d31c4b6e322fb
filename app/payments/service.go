package payments

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"github.com/cartwright-dev/cartwright/app/connections"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Options is what the use cases are made of.
type Options struct {
	Store          ports.Store
	Idempotency    *idempotency.Runner
	Connections    connections.Opener
	Now            func() time.Time
	NewID          func() string
	ReservationTTL time.Duration      // how long stock and codes are reserved for a payment session; 0: 60 min
	LookupInterval time.Duration      // how long shoppers' reads of one session share a lookup; 0: 2 s
	Log            *slog.Logger       // nil: slog.Default()
	Failpoint      func(point string) // called at the Fail points, where tests crash the process; nil in production
}

const (
	defaultReservationTTL = 60 * time.Minute
	defaultLookupInterval = 2 * time.Second
)

// Service is the use cases of payments that callers reach. What needs refunds too is made of a Service and a
// RefundSettler: Webhooks, AggregatorReconciler, Poller.
type Service struct {
	Settler    *Settler
	Sessions   *Sessions
	Custom     *CustomSessions
	Aggregator *AggregatorSessions

	core    core
	lookups lookupLimit
}

// New makes the use cases.
func New(o Options) *Service {
	if o.Failpoint == nil {
		o.Failpoint = func(string) {}
	}
	if o.ReservationTTL <= 0 {
		o.ReservationTTL = defaultReservationTTL
	}
	if o.LookupInterval <= 0 {
		o.LookupInterval = defaultLookupInterval
	}
	log := cmp.Or(o.Log, slog.Default())
	c := core{
		store: o.Store, idempotency: o.Idempotency, connections: o.Connections, now: o.Now, newID: o.NewID,
		calls:          connections.CallLog{Store: o.Store, Now: o.Now, NewID: o.NewID, Log: log},
		reservationTTL: o.ReservationTTL, log: log, failpoint: o.Failpoint,
	}
	lookups := lookupLimit{claims: o.Idempotency.Claims, interval: o.LookupInterval}
	settler := &Settler{core: c}
	sessions := &Sessions{core: c, settler: settler}
	return &Service{
		Settler: settler, Sessions: sessions, Custom: &CustomSessions{core: c, settler: settler},
		Aggregator: &AggregatorSessions{core: c, settler: settler, sessions: sessions, lookups: lookups}, core: c, lookups: lookups,
	}
}

// core is what all use cases of payments work with.
type core struct {
	store          ports.Store
	idempotency    *idempotency.Runner
	connections    connections.Opener
	calls          connections.CallLog
	now            func() time.Time
	newID          func() string
	reservationTTL time.Duration
	log            *slog.Logger
	failpoint      func(point string)
}

// The points at which tests crash the process.
const (
	FailPrepared       = "prepare.sent"         // the provider answered prepare, nothing is stored
	FailConfirmed      = "confirm.sent"         // the provider answered confirm, nothing is stored
	FailLookedUp       = "settle.looked-up"     // settle has the provider's answer, nothing is stored
	FailBeforeCommit   = "settle.before-commit" // the order is written, not committed
	FailCommitted      = "settle.committed"     // the order is committed, the caller has no answer
	FailWebhookSettled = "webhook.settled"      // the payments that a webhook named are settled, its event is not marked as processed
)

// atomically runs fn in one transaction of a tenant.
func (c *core) atomically(ctx context.Context, id tenant.ID, fn func(ctx context.Context, tx ports.Tx) error) error {
	return c.store.Atomically(ctx, ports.ForTenant(id), fn)
}

func (c *core) newChangeSet() *collection.ChangeSet { return collection.NewChangeSet(c.now(), c.newID) }

// reservationExpiry is when a reservation that is made now ends.
func (c *core) reservationExpiry() time.Time {
	return collection.TruncateTime(c.now().Add(c.reservationTTL))
}
