package delivering_test

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
	"github.com/cartwright-dev/cartwright/app/delivering"
	"github.com/cartwright-dev/cartwright/app/hooking"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/platform"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

func TestMain(m *testing.M) { shops.Main(m) }

var start = time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

// net is the internet: what arrives where, and what is answered there.
type net struct {
	mu      sync.Mutex
	answers map[string]func(r ports.WebhookRequest) ports.WebhookAnswer // by address; others answer 200
	got     []arrived
}

// arrived is a request as its receiver reads it.
type arrived struct {
	url     string
	headers map[string]string
	raw     string

	Collection, Operation  string
	Data, Doc, PreviousDoc map[string]any
}

// Send implements ports.WebhookSender.
func (n *net) Send(_ context.Context, r ports.WebhookRequest) ports.WebhookAnswer {
	a := arrived{url: r.URL, headers: r.Headers, raw: string(r.Body)}
	if err := json.Unmarshal(r.Body, &a); err != nil {
		return ports.WebhookAnswer{Status: 400, Response: err.Error()}
	}
	n.mu.Lock()
	n.got = append(n.got, a)
	answer := n.answers[r.URL]
	n.mu.Unlock()
	if answer == nil {
		return ports.WebhookAnswer{Status: 200}
	}
	return answer(r)
}

func (n *net) answer(url string, how func(r ports.WebhookRequest) ports.WebhookAnswer) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.answers[url] = how
}

// status answers always the same.
func status(code int) func(ports.WebhookRequest) ports.WebhookAnswer {
	return func(ports.WebhookRequest) ports.WebhookAnswer { return ports.WebhookAnswer{Status: code} }
}

// at is what arrived at an address, in order, and forgets it.
func (n *net) at(url string) (here []arrived) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.got = slices.DeleteFunc(n.got, func(a arrived) bool {
		if a.url == url {
			here = append(here, a)
		}
		return a.url == url
	})
	return here
}

// bed is a shop on a database of its own, with a deliverer.
type bed struct {
	*delivering.Delivering

	t      testing.TB
	store  *sqlstore.Store
	net    *net
	vault  token.Vault
	hooks  *hooking.Hooking
	shop   tenant.ID
	passed *atomic.Int64
}

// both runs a rule on SQLite and on Postgres.
func both(t *testing.T, rule func(t *testing.T, b *bed)) {
	t.Helper()
	shops.Alone(t, func(t *testing.T, store *sqlstore.Store, _ testservers.Whole) {
		secrets, err := token.NewSecrets(map[int][]byte{1: []byte("thirty-two bytes of secret for it")})
		if err != nil {
			t.Fatal(err)
		}
		b := &bed{
			t: t, store: store, net: &net{answers: map[string]func(ports.WebhookRequest) ports.WebhookAnswer{}},
			vault: token.NewVault(secrets), shop: tenant.ID(shops.NewID()), passed: &atomic.Int64{},
		}
		registry, err := collection.NewRegistry(platform.Schemas()...)
		if err != nil {
			t.Fatal(err)
		}
		b.hooks = &hooking.Hooking{Store: b.store, Log: b.store.EventLog(), Vault: b.vault, Registry: registry, Now: b.now, NewID: shops.NewID}
		b.Delivering = b.instance(b.net)
		rule(t, b)
	})
}

// instance is another server on the same database.
func (b *bed) instance(sender ports.WebhookSender) *delivering.Delivering {
	return &delivering.Delivering{
		Store: b.store, Deliveries: b.store.Deliveries(), Events: b.store.EventLog(), Sender: sender, Signer: hooks.Signer{}, Vault: b.vault,
		Hooking: b.hooks, Now: b.now, NewID: shops.NewID, Jitter: func() float64 { return 0 }, Log: slog.New(slog.DiscardHandler), Every: time.Millisecond,
	}
}

func (b *bed) now() time.Time          { return start.Add(time.Duration(b.passed.Load())) }
func (b *bed) pass(d time.Duration)    { b.passed.Add(int64(d)) }
func (b *bed) view() shops.View        { return shops.See(b.t, b.store, b.shop) }
func url(name string) (address string) { return "https://" + name + ".example/hook" }

// write stores a change of a record.
func (b *bed) write(s *collection.Schema, before, after collection.Record) (event string) {
	b.t.Helper()
	event = shops.NewID()
	b.view().Atomically(func(ctx context.Context, tx ports.Tx) error {
		return tx.Records.Write(ctx, collection.NewChange(s, before, after, event, b.now()))
	})
	return event
}

// endpoint makes one of an admin that hears of collections, of all if there is none.
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
	b.number()
	newest, err := b.store.EventLog().Newest(b.t.Context(), []tenant.ID{b.shop})
	if err != nil {
		b.t.Fatal(err)
	}
	b.write(webhook.Endpoints, nil, collection.Record{
		"id": id, "tenant": string(b.shop), "environment": string(in), "audience": string(audience), "url": url(name), "collections": collections, "enabled": true, "sealedSecret": sealed, "since": newest[b.shop],
	})
	return id
}

func (b *bed) brand(name string) collection.Record {
	id := shops.NewID()
	return collection.Record{"id": id, "tenant": string(b.shop), "name": name, "slug": id}
}

// create makes a brand.
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

// number gives all events their numbers.
func (b *bed) number() {
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

// round delivers what there is.
func (b *bed) round() {
	b.t.Helper()
	b.number()
	if err := b.Round(b.t.Context()); err != nil {
		b.t.Fatal(err)
	}
}

// deliveries to an endpoint, by number of their event.
func (b *bed) deliveries(endpoint string) (all []webhook.Delivery) {
	b.t.Helper()
	for _, r := range b.view().All(webhook.Deliveries) {
		if d := webhook.DeliveryFrom(r); d.Endpoint == endpoint {
			all = append(all, d)
		}
	}
	slices.SortFunc(all, func(a, b webhook.Delivery) int { return int(a.Number - b.Number) })
	return all
}

// statuses of deliveries.
func statuses(all []webhook.Delivery) (out []string) {
	for _, d := range all {
		out = append(out, string(d.Status))
	}
	return out
}

// customer makes one whose address is to be proven; the token is enclosed with the event.
func (b *bed) customer() (event string) {
	b.t.Helper()
	event = shops.NewID()
	r := collection.Record{"id": shops.NewID(), "tenant": string(b.shop), "email": "kim@shop.example"}
	b.view().Atomically(func(ctx context.Context, tx ports.Tx) error {
		if err := tx.Records.Write(ctx, collection.NewChange(identity.Customers, nil, r, event, b.now())); err != nil {
			return err
		}
		_, err := b.letters().EncloseVerification(ctx, tx, event, r)
		return err
	})
	return event
}
