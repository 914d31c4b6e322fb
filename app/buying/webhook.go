package buying

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

const (
	// heardFor is longer than any provider repeats an event, also when somebody asks it to.
	heardFor = 30 * 24 * time.Hour
	// maxEvent bounds the ids of events.
	maxEvent = 255
	// hearers settle webhooks of one connection at the same time, so that most of its calls to the provider stay free for
	// buyers. Others wait for hearTime, and then for the provider's next delivery.
	hearers  = 8
	hearTime = 8 * time.Second
	// maxNamed bounds the sessions that one name may lead to; providers give a name once.
	maxNamed = 5
)

// Hear acts on a webhook that came for a connection: it looks up and settles the payments that the webhook names. An event
// that was acted on before has no effect, and neither has one about payments nobody here knows. What no provider signed
// leaves no trace, and of its look-ups each session has one in two seconds, together with those of shoppers. Errors: ports.ErrAbsent for
// a connection that takes none, whoever it belongs to; ports.ErrWebhookSignature, fault.ErrMalformed; ports.ErrProviderUnavailable and
// fault.ErrUnavailable, after which the provider should deliver again. Contract 8.
func (b *Buying) Hear(ctx context.Context, connection string, n ports.Notice) error {
	n.At = b.Now()
	row, err := b.Store.Read(ports.Scope{System: true}).Get(ctx, payment.Connections, connection)
	if err != nil {
		return err
	}
	a, err := b.open(row)
	if errors.Is(err, payment.ErrNotConfigured) {
		return ports.ErrAbsent.Because(err)
	}
	if err != nil {
		return err
	}
	secrets, err := b.webhookSecrets(row)
	if err != nil {
		return err
	}
	hint, err := a.provider.Hint(a.Connection, secrets, n)
	switch {
	case err != nil:
		return err
	case len(hint.EventID) > maxEvent:
		return fault.ErrMalformed.Saying("The id of the event must have at most %d bytes.", maxEvent)
	}
	return b.heed(ctx, a, hint)
}

// heed settles what a hint names: once, or without an event that is proven as often as anybody may have it looked up.
func (b *Buying) heed(ctx context.Context, a account, hint ports.Hint) error {
	sessions, err := b.named(ctx, a, hint.Payments)
	if err != nil || len(sessions) == 0 {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, hearTime)
	defer cancel()
	leave, err := b.hearing.enter(ctx, a.ID, hearers)
	if err != nil {
		return err
	}
	defer leave()
	if hint.EventID == "" {
		return b.heedAnybody(ctx, a.Tenant, sessions, hint.Refunds)
	}
	if heard, err := b.Heard.Has(ctx, a.Tenant, a.ID, hint.EventID); err != nil || heard {
		return err
	}
	if err := b.settleAll(ctx, a.Tenant, sessions, hint.Refunds); err != nil {
		return err
	}
	b.fail(FailHeard)
	return b.Heard.Keep(ctx, a.Tenant, a.ID, hint.EventID, b.Now().Add(heardFor))
}

// heedAnybody settles sessions on a word that anybody may have made up. One that was looked up a moment ago is left alone:
// the word may be true and tell of something later, so that its provider has to bring it again.
func (b *Buying) heedAnybody(ctx context.Context, id tenant.ID, sessions []string, refunds bool) error {
	for i, session := range sessions {
		over, err := b.nothingToAsk(ctx, id, session, refunds)
		if err != nil {
			return err
		}
		if over {
			continue
		}
		switch may, err := b.claimLook(ctx, id, session); {
		case err != nil:
			return err
		case !may:
			return fault.ErrUnavailable.Retry(defaultLookEvery).Because(fmt.Errorf("session %s was looked up just now", session))
		}
		if err := b.settleAll(ctx, id, sessions[i:i+1], refunds); err != nil {
			return err
		}
	}
	return nil
}

// nothingToAsk reports whether a session's money is in the books, and none of it on its way back, nor said to be.
func (b *Buying) nothingToAsk(ctx context.Context, id tenant.ID, session string, toldRefunds bool) (bool, error) {
	reader := b.Store.Read(ports.Of(id))
	r, err := reader.Get(ctx, payment.Sessions, session)
	if err != nil || toldRefunds || !payment.SessionFrom(r).Booked() {
		return false, err
	}
	t := payment.Transactions
	refunds, err := reader.Find(ctx, collection.Query{Schema: t, Where: collection.And{
		t.Where("paymentSession", collection.Equals, session), t.Where("type", collection.Equals, opRefund),
	}, Limit: 1, Page: 1, Uncounted: true})
	return len(refunds.Docs) == 0, err
}

// settleAll settles sessions and their refunds, those that nobody here asked for among them where there may be some.
func (b *Buying) settleAll(ctx context.Context, of tenant.ID, sessions []string, refunds bool) error {
	hear := b.SettleRefunds
	if refunds {
		hear = b.hearRefunds
	}
	for _, id := range sessions {
		if _, err := b.Settle(ctx, of, id); err != nil {
			return ports.ErrProviderUnavailable.Because(fmt.Errorf("settle session %s after a webhook: %w", id, err))
		}
		if err := hear(ctx, of, id); err != nil {
			return ports.ErrProviderUnavailable.Because(fmt.Errorf("settle refunds of session %s after a webhook: %w", id, err))
		}
	}
	return nil
}

// named finds the sessions of a connection that refs name, by whichever of its names the provider uses.
func (b *Buying) named(ctx context.Context, a account, refs []ports.PaymentRef) (ids []string, err error) {
	s := payment.Sessions
	reader := b.Store.Read(ports.Of(a.Tenant))
	for _, ref := range refs {
		for _, name := range []struct{ field, id string }{
			{"paymentId", ref.PaymentID}, {"providerSessionId", ref.ProviderSessionID}, {"providerPaymentId", ref.ProviderPaymentID},
		} {
			if name.id == "" {
				continue
			}
			page, err := reader.Find(ctx, collection.Query{
				Schema: s, Where: collection.And{s.Where(name.field, collection.Equals, name.id), s.Where("connection", collection.Equals, a.ID)},
				Limit: maxNamed, Page: 1, Uncounted: true,
			})
			if err != nil {
				return nil, err
			}
			for _, r := range page.Docs {
				if !slices.Contains(ids, r.ID()) {
					ids = append(ids, r.ID())
				}
			}
		}
	}
	return ids, nil
}

// webhookSecrets opens the secrets that sign a connection's webhooks, newest first.
func (b *Buying) webhookSecrets(row collection.Record) ([]string, error) {
	sealed, _ := row["webhookSecrets"].([]string)
	secrets := make([]string, len(sealed))
	for i, s := range sealed {
		plain, err := b.Vault.Open(webhookLabel(row.ID()), s)
		if err != nil {
			return nil, fmt.Errorf("open webhook secrets of connection %s: %w", row.ID(), err)
		}
		secrets[i] = string(plain)
	}
	return secrets, nil
}

// lanes let a few work at the same time for each name. Names that nobody works for take no room.
type lanes struct {
	mu   sync.Mutex
	open map[string]*lane
}

type lane struct {
	places chan struct{}
	users  int
}

// enter waits for one of n places until ctx ends; leave gives it back. Errors: fault.ErrUnavailable.
func (l *lanes) enter(ctx context.Context, name string, n int) (leave func(), err error) {
	l.mu.Lock()
	if l.open == nil {
		l.open = map[string]*lane{}
	}
	at := l.open[name]
	if at == nil {
		at = &lane{places: make(chan struct{}, n)}
		l.open[name] = at
	}
	at.users++
	l.mu.Unlock()
	done := func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if at.users--; at.users == 0 {
			delete(l.open, name)
		}
	}
	select {
	case at.places <- struct{}{}:
		return func() { <-at.places; done() }, nil
	case <-ctx.Done():
		done()
		return nil, fault.ErrUnavailable.Retry(time.Second).Because(ctx.Err())
	}
}
