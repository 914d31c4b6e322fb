package deliveries_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/adapters/token"
	hooks "github.com/cartwright-dev/cartwright/adapters/webhook"
	"github.com/cartwright-dev/cartwright/app/deliveries"
	"github.com/cartwright-dev/cartwright/app/webhooks"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/registry"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

func TestMain(m *testing.M) { shops.Main(m) }

var start = time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

// fakeReceiver is a fake network: it records requests by address and responds to them.
type fakeReceiver struct {
	mu       sync.Mutex
	answers  map[string]func(r ports.WebhookRequest) ports.WebhookResponse // by address; others respond 200
	received []receivedRequest
}

// receivedRequest is a request as its receiver parses it.
type receivedRequest struct {
	url     string
	headers map[string]string
	raw     string

	Collection, Operation  string
	Data, Doc, PreviousDoc map[string]any
}

// Send implements ports.WebhookSender.
func (n *fakeReceiver) Send(_ context.Context, r ports.WebhookRequest) ports.WebhookResponse {
	a := receivedRequest{url: r.URL, headers: r.Headers, raw: string(r.Body)}
	if err := json.Unmarshal(r.Body, &a); err != nil {
		return ports.WebhookResponse{Status: 400, Excerpt: err.Error()}
	}
	n.mu.Lock()
	n.received = append(n.received, a)
	answer := n.answers[r.URL]
	n.mu.Unlock()
	if answer == nil {
		return ports.WebhookResponse{Status: 200}
	}
	return answer(r)
}

func (n *fakeReceiver) answer(url string, how func(r ports.WebhookRequest) ports.WebhookResponse) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.answers[url] = how
}

// status always responds with code.
func status(code int) func(ports.WebhookRequest) ports.WebhookResponse {
	return func(ports.WebhookRequest) ports.WebhookResponse { return ports.WebhookResponse{Status: code} }
}

// receivedAt removes and returns the requests to an address, in order.
func (n *fakeReceiver) receivedAt(url string) (here []receivedRequest) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.received = slices.DeleteFunc(n.received, func(a receivedRequest) bool {
		if a.url == url {
			here = append(here, a)
		}
		return a.url == url
	})
	return here
}

// closed is a collection that admins read and secret keys do not, in these tests alone.
const closed = "tags"

// bed is a tenant on its own database, with a dispatcher.
type bed struct {
	*deliveries.Dispatcher

	t      testing.TB
	store  *sqlstore.Store
	net    *fakeReceiver
	vault  token.Vault
	hooks  *webhooks.Service
	shop   tenant.ID
	passed *atomic.Int64
	rows   testservers.Inspector
}

// onBothDatabases runs a rule on SQLite and on Postgres.
func onBothDatabases(t *testing.T, rule func(t *testing.T, b *bed)) {
	t.Helper()
	shops.OnOwnDatabases(t, func(t *testing.T, store *sqlstore.Store, rows testservers.Inspector) {
		secrets, err := token.NewSecrets(map[int][]byte{1: []byte("thirty-two bytes of secret for it")})
		if err != nil {
			t.Fatal(err)
		}
		b := &bed{
			t: t, store: store, net: &fakeReceiver{answers: map[string]func(ports.WebhookRequest) ports.WebhookResponse{}},
			vault: token.NewVault(secrets), shop: tenant.ID(shops.NewID()), passed: &atomic.Int64{}, rows: rows,
		}
		registry, err := collection.NewRegistry(shops.ClosedToKeys(registry.Schemas(), closed)...)
		if err != nil {
			t.Fatal(err)
		}
		b.hooks = &webhooks.Service{
			Store: b.store, Log: b.store.EventLog(), Vault: b.vault, Registry: registry, Now: b.now, NewID: shops.NewID,
		}
		b.Dispatcher = b.instance(b.net)
		rule(t, b)
	})
}

// instance is another server on the same database.
func (b *bed) instance(sender ports.WebhookSender) *deliveries.Dispatcher {
	return &deliveries.Dispatcher{
		Store: b.store, Deliveries: b.store.Deliveries(), Events: b.store.EventLog(), Sender: sender, Signer: hooks.Signer{},
		Vault: b.vault, Endpoints: b.hooks, Now: b.now, NewID: shops.NewID, Jitter: func() float64 { return 0 },
		Log: slog.New(slog.DiscardHandler), PollInterval: time.Millisecond,
	}
}

func (b *bed) now() time.Time          { return start.Add(time.Duration(b.passed.Load())) }
func (b *bed) advance(d time.Duration) { b.passed.Add(int64(d)) }
func (b *bed) view() shops.View        { return shops.NewView(b.t, b.store, b.shop) }
func url(name string) (address string) { return "https://" + name + ".example/hook" }

// write stores a change of a record.
func (b *bed) write(s *collection.Schema, before, after collection.Record) {
	b.t.Helper()
	b.view().Atomically(func(ctx context.Context, tx ports.Tx) error {
		return tx.Records.Write(ctx, collection.NewChange(s, before, after, shops.NewID(), b.now()))
	})
}

// endpoint creates one as an admin, subscribed to collections, or to all if none is given.
func (b *bed) endpoint(name string, collections ...string) string {
	b.t.Helper()
	return b.endpointFor(webhook.Admins, tenant.Live, name, collections...)
}

func (b *bed) endpointFor(audience webhook.Audience, in tenant.Environment, name string, collections ...string) string {
	b.t.Helper()
	id := shops.NewID()
	sealed, err := b.vault.Seal("webhook-endpoints/"+id+"/secret", []byte(secret))
	if err != nil {
		b.t.Fatal(err)
	}
	b.sequenceEvents()
	newest, err := b.store.EventLog().Newest(b.t.Context(), []tenant.ID{b.shop})
	if err != nil {
		b.t.Fatal(err)
	}
	b.write(webhook.Endpoints, nil, collection.Record{
		"id": id, "tenant": string(b.shop), "environment": string(in), "audience": string(audience), "url": url(name),
		"collections": collections, "enabled": true, "sealedSecret": sealed, "since": newest[b.shop],
	})
	return id
}

func (b *bed) brand(name string) collection.Record {
	id := shops.NewID()
	return collection.Record{"id": id, "tenant": string(b.shop), "name": name, "slug": id}
}

// create creates a brand.
func (b *bed) create(name string) collection.Record {
	b.t.Helper()
	r := b.brand(name)
	b.write(catalog.Brands, nil, r)
	return r
}

// rename changes a brand.
func (b *bed) rename(r collection.Record, name string) collection.Record {
	b.t.Helper()
	after := r.Clone()
	after["name"] = name
	b.write(catalog.Brands, r, after)
	return after
}

// sequenceEvents assigns sequence numbers to all events.
func (b *bed) sequenceEvents() {
	b.t.Helper()
	for {
		n, err := b.store.Sequence(b.t.Context())
		if err != nil {
			b.t.Fatal(err)
		}
		if n == 0 {
			return
		}
	}
}

// round makes all due deliveries.
func (b *bed) round() {
	b.t.Helper()
	b.sequenceEvents()
	if err := b.RunOnce(b.t.Context()); err != nil {
		b.t.Fatal(err)
	}
}

// deliveries to an endpoint, by sequence of their event.
func (b *bed) deliveries(endpoint string) (all []webhook.Delivery) {
	b.t.Helper()
	for _, r := range b.view().All(webhook.Deliveries) {
		if d := webhook.DeliveryFrom(r); d.Endpoint == endpoint {
			all = append(all, d)
		}
	}
	slices.SortFunc(all, func(a, b webhook.Delivery) int { return int(a.Sequence - b.Sequence) })
	return all
}

// statuses of deliveries.
func statuses(all []webhook.Delivery) (out []string) {
	for _, d := range all {
		out = append(out, string(d.Status))
	}
	return out
}

// customer creates one with an unverified address; a token is sealed into the event.
func (b *bed) customer() (event string) {
	b.t.Helper()
	event = shops.NewID()
	r := collection.Record{"id": shops.NewID(), "tenant": string(b.shop), "email": "kim@shop.example"}
	b.view().Atomically(func(ctx context.Context, tx ports.Tx) error {
		if err := tx.Records.Write(ctx, collection.NewChange(identity.Customers, nil, r, event, b.now())); err != nil {
			return err
		}
		_, err := b.emailTokens().AttachVerification(ctx, tx, event, r)
		return err
	})
	return event
}
