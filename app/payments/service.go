package payments

import (
	"cmp"
	"log/slog"
	"time"

	"github.com/cartwright-dev/cartwright/app/connections"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/placement"
	"github.com/cartwright-dev/cartwright/app/recent"
	"github.com/cartwright-dev/cartwright/ports"
)

// Options is what the use cases are made of.
type Options struct {
	Store          ports.Store
	Recent         *recent.Memory // of what Store wrote; nil remembers nothing
	Idempotency    *idempotency.Runner
	Connections    connections.Opener
	Now            func() time.Time
	NewID          func() string
	ReservationTTL time.Duration      // how long stock and codes are reserved for a payment session; 0: 60 min
	LookupInterval time.Duration      // how long shoppers' reads of one session share a lookup; 0: 2 s
	Log            *slog.Logger       // nil: slog.Default()
	Failpoint      func(point string) // called at the Fail points, where tests crash the process; nil in production
	Tasks          ports.PaymentTaskQueue
	Numbers        placement.Numbers // of orders; the zero value is the default format
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
		store: o.Store, recent: o.Recent, idempotency: o.Idempotency, connections: o.Connections, now: o.Now, newID: o.NewID,
		calls:          connections.CallLog{Store: o.Store, Vault: o.Connections.Vault, Now: o.Now, NewID: o.NewID, Log: log},
		reservationTTL: o.ReservationTTL, log: log, failpoint: o.Failpoint, tasks: o.Tasks, numbers: o.Numbers.At(o.Now),
	}
	lookups := lookupLimit{claims: o.Idempotency.Claims, interval: o.LookupInterval}
	settler := &Settler{core: c, underway: newUnderway(o.Now)}
	sessions := &Sessions{core: c, settler: settler}
	return &Service{
		Settler: settler, Sessions: sessions, Custom: &CustomSessions{core: c, settler: settler},
		Aggregator: &AggregatorSessions{core: c, settler: settler, sessions: sessions, lookups: lookups}, core: c, lookups: lookups,
	}
}
