package refunds

import (
	"cmp"
	"log/slog"
	"time"

	"github.com/cartwright-dev/cartwright/app/connections"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/placement"
	"github.com/cartwright-dev/cartwright/ports"
)

// Options is what the use cases are made of.
type Options struct {
	Store       ports.Store
	Idempotency *idempotency.Runner
	Connections connections.Opener
	Returns     ReturnFollower // nil: no refund names a return request
	Now         func() time.Time
	NewID       func() string
	Numbers     placement.Numbers  // of orders; the zero value is the default format
	Log         *slog.Logger       // nil: slog.Default()
	Failpoint   func(point string) // called at the Fail points, where tests crash the process; nil in production
}

// Service refunds payments, and implements payments.RefundSettler.
type Service struct {
	*refunder

	Canceler  *OrderCanceler
	Lines     *LineCanceler
	Orders    *OrderRefunder
	Capturer  *Capturer
	Attention *Attention
}

// New makes the use cases.
func New(o Options) *Service {
	if o.Failpoint == nil {
		o.Failpoint = func(string) {}
	}
	log := cmp.Or(o.Log, slog.Default())
	r := &refunder{
		recorder:    recorder{store: o.Store, returns: o.Returns, now: o.Now, newID: o.NewID, numbers: o.Numbers.At(o.Now)},
		connections: o.Connections, calls: connections.CallLog{Store: o.Store, Vault: o.Connections.Vault, Now: o.Now, NewID: o.NewID, Log: log},
		log: log, failpoint: o.Failpoint,
	}
	return &Service{
		refunder: r, Canceler: &OrderCanceler{refunds: r, idempotency: o.Idempotency},
		Lines:     &LineCanceler{refunds: r, idempotency: o.Idempotency},
		Orders:    &OrderRefunder{refunds: r, idempotency: o.Idempotency},
		Capturer:  &Capturer{refunds: r, idempotency: o.Idempotency},
		Attention: &Attention{refunds: r, idempotency: o.Idempotency},
	}
}
