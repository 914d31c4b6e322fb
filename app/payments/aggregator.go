package payments

import (
	"context"
	"errors"
	"time"

	"github.com/cartwright-dev/cartwright/app/checkouts"
	"github.com/cartwright-dev/cartwright/app/connections"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// AggregatorSessions is the sessions below /payment-sessions/aggregator: hosted and standard ones.
type AggregatorSessions struct {
	core

	settler  *Settler
	sessions *Sessions
	lookups  lookupLimit
}

// Open is Sessions.Open for a hosted or standard session, after it checked what the mode requires. Errors:
// those of Sessions.Open and payment.Action.Check.
func (a *AggregatorSessions) Open(ctx context.Context, c idempotency.Call, in SessionInput) (idempotency.Response, error) {
	if err := checkouts.RequireCaller(c, true); err != nil {
		return idempotency.Response{}, err
	}
	if err := in.Check(); err != nil {
		return idempotency.Response{}, err
	}
	return a.sessions.Open(ctx, c, in)
}

// Retrieve looks the payment of a hosted or standard session up and settles it: {paymentSession}, and once
// its order is placed {paymentSession, checkout, order}. Shoppers cause at most one lookup per session in two
// seconds, over all instances; in between they read what is known. A server's call always looks up, so its
// key must be allowed to write. Errors: ports.ErrNotFound also for sessions of other kinds,
// fault.ErrForbidden, those of Settler.Settle. Rules payments-6, payments-13.
func (a *AggregatorSessions) Retrieve(ctx context.Context, c idempotency.Call, id string) (*reply.Body, error) {
	if err := checkouts.RequireCaller(c, false); err != nil {
		return nil, err
	}
	if c.Server && !c.Principal.CanWrite {
		return nil, fault.ErrForbidden.WithMessage("A payment lookup may place its order, so it requires a key with the write scope.")
	}
	found, err := FindSession(ctx, a.store, c, id, payment.Hosted, payment.Standard)
	if err != nil {
		return nil, err
	}
	s := found.Session
	o := Outcome{Session: s, Record: found.Record}
	switch look, err := a.mayLookUp(ctx, c, s); {
	case err != nil:
		return nil, err
	case look:
		if o, err = a.settle(ctx, found); err != nil {
			return nil, err
		}
	}
	return a.answer(ctx, c, o)
}

// otherLookup is how long a call waits for the look-up that another one has begun.
const otherLookup = 2 * time.Second

// settle settles a session that was just read. The provider's webhook comes as the buyer does: the one waits for what the
// other finds out, and asks the provider only if that was nothing.
func (a *AggregatorSessions) settle(ctx context.Context, found FoundSession) (Outcome, error) {
	s := found.Session
	waiting, cancel := context.WithTimeout(ctx, otherLookup)
	defer cancel()
	switch other := a.settler.underway.wait(waiting, s.ID); {
	case other != nil && other.booked != nil:
		return *other.booked, nil
	case other != nil, waiting.Err() != nil:
		return a.settler.Settle(ctx, s.Tenant, s.ID) // what was read may be over
	}
	return a.settler.Settle(ctx, s.Tenant, s.ID, knowing(knownSession{record: found.Record, checkout: found.checkoutRecord}))
}

// mayLookUp reports whether a call may ask the provider about s now.
func (a *AggregatorSessions) mayLookUp(ctx context.Context, c idempotency.Call, s payment.Session) (bool, error) {
	if s.Booked() || c.Server {
		return !s.Booked(), nil
	}
	return a.lookups.claim(ctx, s.Tenant, s.ID)
}

// answer is a session, with its checkout and order once that is placed.
func (a *AggregatorSessions) answer(ctx context.Context, c idempotency.Call, o Outcome) (_ *reply.Body, err error) {
	if o.Session.Order == "" {
		return c.Body(o.Members()[:1]...), nil
	}
	reader := a.store.Read(ports.ForTenant(o.Session.Tenant))
	if o.Checkout == nil {
		if o.Checkout, err = reader.Get(ctx, checkout.Schema, o.Session.Checkout); err != nil {
			return nil, err
		}
	}
	if o.Order == nil {
		if o.Order, err = reader.Get(ctx, order.Schema, o.Session.Order); err != nil {
			return nil, err
		}
	}
	return c.Body(o.Members()...), nil
}

// Cancel is Sessions.Cancel for a hosted or standard session. A standard action that was handed out cannot be
// taken back, unless its adapter says so. Errors: those of Sessions.Cancel, ports.ErrNotFound also for
// sessions of other kinds. Rule payments-4.
func (a *AggregatorSessions) Cancel(ctx context.Context, c idempotency.Call, id string) (idempotency.Response, error) {
	return a.sessions.Cancel(ctx, c, id, payment.Hosted, payment.Standard)
}

// lookupLimit limits the lookups that callers without proof of anything can cause: one per session and
// interval, over all instances. Rule payments-13.
type lookupLimit struct {
	claims   ports.Claims
	interval time.Duration
}

// claim takes the one lookup of a session in this interval; ok is false when it is taken. It claims an
// idempotency key that no caller can send: the database's clock is the one that all instances share.
func (l lookupLimit) claim(ctx context.Context, id tenant.ID, session string) (ok bool, err error) {
	key := idempotency.Call{
		Principal: tenant.Principal{Tenant: tenant.Settings{ID: id}}, Operation: "paymentSessions.look", Key: session,
	}.ReceiptKey()
	_, _, err = l.claims.Claim(ctx, id, key, key, l.interval)
	if errors.Is(err, idempotency.ErrInProgress) {
		return false, nil
	}
	return err == nil, err
}

// checkPageURL refuses the URL of a hosted page that no shopper may be sent to: it must be https, or http of
// the sandbox on this machine. What the provider did is unknown then. Errors: ports.ErrProviderUnavailable.
// Rule payments-36.
func checkPageURL(a connections.Opened, s payment.Session, raw string) error {
	if s.Kind != payment.Hosted {
		return nil
	}
	u, ok := parseWebURL(raw)
	if ok && (u.Scheme == "https" || a.Provider == "sandbox" && isLoopback(u.Hostname())) {
		return nil
	}
	return ports.ErrProviderUnavailable.WithCause(errors.New("the provider's page has no https address"))
}
