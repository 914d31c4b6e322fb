package payments

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/app/connections"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

const (
	// processedTTL is longer than any provider redelivers an event, also on request.
	processedTTL     = 30 * 24 * time.Hour
	maxEventIDLength = 255
	// webhooksPerConnection is how many webhooks of one connection are settled at the same time, so that most
	// of its concurrent calls to the provider are left to buyers. Other webhooks wait for webhookTimeout, and
	// then for their redelivery.
	webhooksPerConnection = 8
	webhookTimeout        = 8 * time.Second
	// maxSessionsPerName bounds the sessions that one name may lead to; providers use a name once.
	maxSessionsPerName = 5
)

// Webhooks acts on the webhooks of payment providers. A webhook is only a hint to look a payment up; its
// contents are never trusted.
type Webhooks struct {
	core

	settler   *Settler
	refunds   RefundSettler
	lookups   lookupLimit
	processed ports.ProcessedWebhooks
	limiter   keyedLimiter
	recent    recentConnections
}

// NewWebhooks makes the use case.
func NewWebhooks(s *Service, refunds RefundSettler, processed ports.ProcessedWebhooks) *Webhooks {
	return &Webhooks{core: s.core, settler: s.Settler, refunds: refunds, lookups: s.lookups, processed: processed}
}

// HandleWebhook acts on a webhook that came for a connection: it looks up and settles the payments that the
// webhook names. An event that was processed before has no effect, and neither has one about unknown
// payments. An event is marked as processed after its payments are settled, so that a crash leaves it to the
// next delivery. One about a payment that this process has just booked has nothing to tell: neither the provider nor the
// database is asked. A webhook without a verified signature stores nothing, and its lookups share the limit of
// one per session and interval with those of shoppers. Errors: ports.ErrNotFound for a connection that takes
// none, in any tenant; ports.ErrWebhookSignature, fault.ErrMalformed; ports.ErrProviderUnavailable and
// fault.ErrUnavailable, after which the provider should deliver again. Rule payments-27.
func (wh *Webhooks) HandleWebhook(ctx context.Context, connection string, n ports.ProviderWebhook) error {
	n.ReceivedAt = wh.now()
	if r, ok := wh.recent.find(connection, n.ReceivedAt); ok && wh.tellsNothing(ctx, r, n) {
		return nil
	}
	row, err := wh.store.Read(ports.Scope{System: true}).Get(ctx, payment.Connections, connection)
	if err != nil {
		return err
	}
	a, err := wh.connections.Open(row)
	if errors.Is(err, payment.ErrNotConfigured) {
		return ports.ErrNotFound.WithCause(err)
	}
	if err != nil {
		return err
	}
	secrets, err := wh.connections.WebhookSecrets(row)
	if err != nil {
		return err
	}
	read := recentConnection{a, secrets, n.ReceivedAt}
	hint, err := readHint(read, n)
	if err != nil {
		return err
	}
	wh.recent.add(read)
	return wh.settleNamed(ctx, a, hint)
}

// readHint reads a webhook. Errors: ports.ErrWebhookSignature, fault.ErrMalformed.
func readHint(r recentConnection, n ports.ProviderWebhook) (ports.WebhookHint, error) {
	hint, err := r.opened.Adapter.Hint(r.opened.Connection, r.secrets, n)
	if err == nil && len(hint.EventID) > maxEventIDLength {
		err = fault.ErrMalformed.WithMessage("The id of the event must have at most %d bytes.", maxEventIDLength)
	}
	return hint, err
}

// tellsNothing reports whether a webhook is about payments that were booked lately, and about nothing that came later.
func (wh *Webhooks) tellsNothing(ctx context.Context, r recentConnection, n ports.ProviderWebhook) bool {
	hint, err := readHint(r, n)
	if err != nil || hint.MayConcernBooked {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, webhookTimeout)
	defer cancel()
	return wh.settler.underway.areBooked(ctx, r.opened.ID, hint.Payments)
}

// settleNamed settles the payments that a hint names: once for a signed event, else as often as unproven
// callers may cause a lookup.
func (wh *Webhooks) settleNamed(ctx context.Context, a connections.Opened, hint ports.WebhookHint) error {
	ctx = ports.WithActor(ctx, tenant.Actor{Kind: tenant.Provider, ID: a.Provider, Via: tenant.ViaWebhook})
	sessions, err := wh.findNamedSessions(ctx, a, hint.Payments)
	if err != nil || len(sessions) == 0 {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, webhookTimeout)
	defer cancel()
	release, err := wh.limiter.acquire(ctx, a.ID, webhooksPerConnection)
	if err != nil {
		return err
	}
	defer release()
	if hint.EventID == "" {
		return wh.settleUnsigned(ctx, a.Tenant, sessions, hint.MayConcernBooked)
	}
	if seen, err := wh.processed.Seen(ctx, a.Tenant, a.ID, hint.EventID); err != nil || seen {
		return err
	}
	until := wh.now().Add(processedTTL)
	var inSettle []SettleOption
	if len(sessions) == 1 && !hint.MayConcernBooked { // nothing is left to be done once it is booked
		inSettle = []SettleOption{marking(func(ctx context.Context, tx ports.Tx) error {
			return tx.ProcessedWebhooks.Mark(ctx, a.Tenant, a.ID, hint.EventID, until)
		})}
	}
	marked, err := wh.settleSessions(ctx, a.Tenant, sessions, hint.MayConcernBooked, inSettle...)
	if err != nil {
		return err
	}
	wh.failpoint(FailWebhookSettled)
	if marked {
		return nil
	}
	return wh.processed.Mark(ctx, a.Tenant, a.ID, hint.EventID, until)
}

// settleUnsigned settles sessions for a webhook that anybody may have made up. A session that was looked up
// within the interval is an error: the webhook may be true and report something later, so the provider has to
// deliver it again.
func (wh *Webhooks) settleUnsigned(ctx context.Context, id tenant.ID, sessions []string, refunds bool) error {
	for i, session := range sessions {
		settled, err := wh.isSettled(ctx, id, session, refunds)
		if err != nil {
			return err
		}
		if settled {
			continue
		}
		switch ok, err := wh.lookups.claim(ctx, id, session); {
		case err != nil:
			return err
		case !ok:
			return fault.ErrUnavailable.WithRetry(defaultLookupInterval).WithCause(fmt.Errorf("session %s was looked up just now", session))
		}
		if _, err := wh.settleSessions(ctx, id, sessions[i:i+1], refunds); err != nil {
			return err
		}
	}
	return nil
}

// isSettled reports whether a lookup could tell nothing new: the session's payment is booked, nothing of it was refunded
// or taken back, and the webhook does not concern that.
func (wh *Webhooks) isSettled(ctx context.Context, id tenant.ID, session string, mayConcernBooked bool) (bool, error) {
	reader := wh.store.Read(ports.ForTenant(id))
	r, err := reader.Get(ctx, payment.Sessions, session)
	if err != nil || mayConcernBooked || !payment.SessionFrom(r).Booked() {
		return false, err
	}
	t := payment.Transactions
	moved, err := reader.Find(ctx, collection.Query{Schema: t, Where: collection.And{
		t.Where("paymentSession", collection.Equals, session), t.Where("type", collection.NotEquals, "payment"),
	}, Limit: 1, Page: 1, SkipCount: true})
	return len(moved.Docs) == 0, err
}

// settleSessions settles sessions and their refunds, and looks for external refunds where there may be some. It reports
// whether the webhook is marked.
func (wh *Webhooks) settleSessions(
	ctx context.Context, id tenant.ID, sessions []string, refunds bool, options ...SettleOption,
) (marked bool, err error) {
	reader := wh.store.Read(ports.ForTenant(id))
	settleRefunds := wh.refunds.SettleRefunds
	if refunds {
		settleRefunds = wh.refunds.SyncRefunds
	}
	for _, session := range sessions {
		wh.settler.underway.wait(ctx, session)
		// Nobody is answered with what this process remembers, and decided is on locked records. That a payment is booked
		// ends the matter, so it is read: a database that lost its last commits does not know of it.
		known, err := readKnown(ctx, wh.core.recent, reader, id, session)
		if err == nil && payment.SessionFrom(known.record).Booked() {
			known, err = readKnown(ctx, nil, reader, id, session)
		}
		var o Outcome
		if err == nil {
			o, err = wh.settler.Settle(ctx, id, session, append(options, knowing(known))...)
		}
		if err != nil {
			return false, ports.ErrProviderUnavailable.WithCause(fmt.Errorf("settle session %s after a webhook: %w", session, err))
		}
		marked = o.marked
		if !refunds && o.seen != "" && o.Session.Booked() {
			continue // just now: there was nothing to refund before
		}
		if err := settleRefunds(ctx, id, session); err != nil {
			return false, ports.ErrProviderUnavailable.WithCause(fmt.Errorf("settle refunds of session %s after a webhook: %w", session, err))
		}
	}
	return marked, nil
}

// findNamedSessions finds the sessions of a connection that refs name, by whichever of their ids the provider uses.
func (wh *Webhooks) findNamedSessions(ctx context.Context, a connections.Opened, refs []ports.PaymentRef) (ids []string, err error) {
	reader := wh.store.Read(ports.ForTenant(a.Tenant))
	for _, ref := range refs {
		for _, name := range namesOf(a.ID, ref) {
			found, err := wh.sessionsNamed(ctx, reader, name)
			if err != nil {
				return nil, err
			}
			ids = append(ids, found...)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

func (wh *Webhooks) sessionsNamed(ctx context.Context, r ports.Reader, name paymentName) (ids []string, err error) {
	if known := wh.settler.underway.sessionNamed(name); known != "" {
		return []string{known}, nil
	}
	s := payment.Sessions
	page, err := r.Find(ctx, collection.Query{
		Schema: s, Where: collection.And{
			s.Where(name.field, collection.Equals, name.id), s.Where("connection", collection.Equals, name.connection),
		},
		Limit: maxSessionsPerName, Page: 1, SkipCount: true,
	})
	for _, r := range page.Docs {
		ids = append(ids, r.ID())
	}
	return ids, err
}
