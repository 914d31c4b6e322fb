package buying

import (
	"context"
	"errors"
	"time"

	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// defaultLookEvery is how long a shopper's reads of one session share a look-up. Contract 8.
const defaultLookEvery = 2 * time.Second

// OpenAggregator is OpenSession of a hosted or standard session, after a look at what its mode needs. Errors: those of
// OpenSession, those of payment.Action.Check.
func (b *Buying) OpenAggregator(ctx context.Context, c once.Call, in NewSession) (once.Answer, error) {
	if err := known(c, true); err != nil {
		return once.Answer{}, err
	}
	if err := in.Check(); err != nil {
		return once.Answer{}, err
	}
	return b.OpenSession(ctx, c, in)
}

// RetrieveAggregator looks the payment of a hosted or standard session up and settles it: {paymentSession}, and once its
// order is placed {paymentSession, checkout, order}. Shoppers ask the provider at most once in two seconds per session,
// whichever instance they reach; in between they read what is known. A server's call always asks, so its key must be
// allowed to write. Errors: ports.ErrAbsent also for sessions of other kinds, fault.ErrForbidden, those of Settle. Spec 4.6
// rules 7 and 8, Contract 8.
func (b *Buying) RetrieveAggregator(ctx context.Context, c once.Call, id string) ([]byte, error) {
	if err := known(c, false); err != nil {
		return nil, err
	}
	if c.Server && !c.Principal.CanWrite {
		return nil, fault.ErrForbidden.Saying("Looking a payment up may place its order: this needs a key that may write.")
	}
	r, s, err := b.session(ctx, c, id, payment.Hosted, payment.Standard)
	if err != nil {
		return nil, err
	}
	o := Outcome{Session: s, Record: r}
	switch look, err := b.mayLook(ctx, c, s); {
	case err != nil:
		return nil, err
	case look:
		if o, err = b.Settle(ctx, s.Tenant, s.ID); err != nil {
			return nil, err
		}
	}
	return b.told(ctx, c, o)
}

// mayLook reports whether a call may ask the provider about s now. Of a shopper's calls the first of every two seconds may.
func (b *Buying) mayLook(ctx context.Context, c once.Call, s payment.Session) (bool, error) {
	if s.Booked() || c.Server {
		return !s.Booked(), nil
	}
	return b.claimLook(ctx, s.Tenant, s.ID)
}

// claimLook takes the one look-up of a session in two seconds that those may cause who prove nothing. The claim of a key that
// nobody can send is the one clock that all instances share.
func (b *Buying) claimLook(ctx context.Context, id tenant.ID, session string) (bool, error) {
	every := b.LookEvery
	if every <= 0 {
		every = defaultLookEvery
	}
	key := once.Call{Principal: tenant.Principal{Tenant: tenant.Facts{ID: id}}, Operation: "paymentSessions.look", Key: session}.ReceiptKey()
	_, _, err := b.Once.Claims.Claim(ctx, id, key, key, every)
	if errors.Is(err, once.ErrInProgress) {
		return false, nil
	}
	return err == nil, err
}

// told is a session with what came of it.
func (b *Buying) told(ctx context.Context, c once.Call, o Outcome) ([]byte, error) {
	members := []once.Member{{Name: "paymentSession", Schema: payment.Sessions, Record: o.Record}}
	if o.Session.Order == "" {
		return c.Body(members...), nil
	}
	reader := b.Store.Read(ports.Of(o.Session.Tenant))
	var err error
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
	return c.Body(append(members, once.Member{Name: "checkout", Schema: checkout.Schema, Record: o.Checkout}, once.Member{Name: "order", Schema: order.Schema, Record: o.Order})...), nil
}

// CancelAggregator is Cancel of a hosted or standard session. Nobody can take a standard action back that was handed out,
// unless its adapter says so. Errors: those of Cancel, ports.ErrAbsent also for sessions of other kinds. Spec 4.6 rule 9.
func (b *Buying) CancelAggregator(ctx context.Context, c once.Call, id string) (once.Answer, error) {
	return b.Cancel(ctx, c, id, payment.Hosted, payment.Standard)
}

// checkPage refuses the address of a hosted page that no shopper may be sent to: https, or http of the sandbox on this
// machine. What such a provider did is not known. Errors: ports.ErrProviderUnavailable. Contract 8.
func checkPage(a account, s payment.Session, raw string) error {
	if s.Kind != payment.Hosted {
		return nil
	}
	u, ok := webAddress(raw)
	if ok && (u.Scheme == "https" || a.Provider == "sandbox" && loopback(u.Hostname())) {
		return nil
	}
	return ports.ErrProviderUnavailable.Because(errors.New("the provider's page has no https address"))
}
