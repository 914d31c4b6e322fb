package webhooks_test

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/cartwright-dev/cartwright/adapters/memory"
	"github.com/cartwright-dev/cartwright/adapters/rest"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/adapters/token"
	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/app/webhooks"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/registry"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

// closed is a collection that admins read and secret keys do not, in these tests alone.
const closed = "tags"

var start = time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)

// fixture is a tenant on a real database, behind HTTP.
type fixture struct {
	*webhooks.Service

	t       testing.TB
	store   *sqlstore.Store
	app     *fiber.App
	shop    tenant.Settings
	secrets map[int][]byte
	passed  atomic.Int64 // since start
	woken   atomic.Int64 // how often the dispatcher was woken
}

func newFixture(t testing.TB, store *sqlstore.Store, plan tenant.Plan) *fixture {
	t.Helper()
	registry, err := collection.NewRegistry(shops.ClosedToKeys(registry.Schemas(), closed)...)
	if err != nil {
		t.Fatal(err)
	}
	b := &fixture{t: t, store: store, secrets: map[int][]byte{1: []byte("thirty-two bytes of secret for it")}}
	b.shop = tenant.Settings{ID: tenant.ID(shops.NewID()), Plan: plan, Currency: "KRW", CommerceEnabled: true}
	runner := &idempotency.Runner{
		Store: store, Claims: store.Claims(), Cache: memory.NewReceipts(1<<20, b.now, store), Now: b.now, NewID: shops.NewID,
	}
	b.Service = &webhooks.Service{
		Store: store, Log: store.EventLog(), Cursors: store.Deliveries(), Idempotency: runner, Vault: b.vault(), Registry: registry,
		Now: b.now, NewID: shops.NewID, Wake: func(string) { b.woken.Add(1) },
	}
	records := &records.Service{
		Store: store, Registry: registry, Fold: strings.ToLower, Now: b.now, NewID: shops.NewID,
		Hooks: map[string]records.Hooks{webhook.Endpoints.Slug: b.Hooks()},
	}
	b.app = rest.New(rest.Options{
		Log: slog.New(slog.DiscardHandler), Access: authenticator{b}, NewID: shops.NewID, Now: b.now,
		Areas: []rest.Area{rest.Operations(operation.Webhooks(b.Service)), rest.Collections{Content: records}},
	})
	b.view().Atomically(func(ctx context.Context, tx ports.Tx) error {
		shop := collection.Record{
			"id": string(b.shop.ID), "tenant": string(b.shop.ID), "name": "Shop", "slug": "shop-" + string(b.shop.ID), "plan": string(plan),
			"currency": "KRW",
		}
		return tx.Records.Write(ctx, collection.NewChange(identity.Tenants, nil, shop, shops.NewID(), start))
	})
	return b
}

func (b *fixture) vault() token.Vault {
	b.t.Helper()
	secrets, err := token.NewSecrets(b.secrets)
	if err != nil {
		b.t.Fatal(err)
	}
	return token.NewVault(secrets)
}

func (b *fixture) now() time.Time { return start.Add(time.Duration(b.passed.Load())) }

func (b *fixture) pass(d time.Duration) { b.passed.Add(int64(d)) }

func (b *fixture) view() shops.View { return shops.NewView(b.t, b.store, b.shop.ID) }

// authenticator accepts the credentials of one tenant, and those of a second one.
type authenticator struct{ b *fixture }

func (authenticator) IsSameSite(access.Credentials) bool { return true }

func (d authenticator) Authenticate(_ context.Context, c access.Credentials) (tenant.Principal, error) {
	p := tenant.Principal{Tenant: d.b.shop, Environment: tenant.Live, CanRead: true, CanWrite: true, ID: "k", Kind: tenant.Anonymous}
	switch {
	case c.APIKey == "sk_stranger":
		p.Kind, p.Tenant.ID = tenant.SecretKey, tenant.ID(shops.NewID())
	case c.APIKey == "sk_test":
		p.Kind, p.Environment = tenant.SecretKey, tenant.Test
	case c.APIKey == "sk_reader":
		p.Kind, p.CanWrite = tenant.SecretKey, false
	case c.APIKey == "sk_writer":
		p.Kind, p.CanRead = tenant.SecretKey, false
	case c.APIKey != "":
		p.Kind = tenant.SecretKey
	case c.Bearer == "customer":
		p.Kind = tenant.Customer
	case c.Bearer != "":
		p.Kind, p.Role = tenant.User, tenant.Role(c.Bearer)
	case c.ClientKey != "":
		p.Kind = tenant.ClientKey
	}
	return p, nil
}

var (
	owner  = []string{"X-API-Key", "sk"}
	asTest = []string{"X-API-Key", "sk_test"}
	admin  = []string{"Authorization", "Bearer tenant-admin"}
)

func key() string { return "ik_" + rand.Text() + "abcdef" }

func (b *fixture) do(r *http.Request) (*http.Response, error) { return b.app.Test(r, -1) }

func (b *fixture) ask(method, path, body string, headers ...string) (int, shops.Response) {
	b.t.Helper()
	return shops.Do(b.t, b.do, method, path, body, headers...)
}

// must makes a call that must succeed.
func (b *fixture) must(method, path, body string, headers ...string) shops.Response {
	b.t.Helper()
	status, said := b.ask(method, path, body, headers...)
	if status >= 300 {
		b.t.Fatalf("%s %s: %d %v", method, path, status, said["raw"])
	}
	return said
}

// endpoint creates one, with further members.
func (b *fixture) endpoint(more string, headers ...string) shops.Response {
	b.t.Helper()
	if headers == nil {
		headers = owner
	}
	return b.must("POST", "/webhook-endpoints", `{"url":"https://shop.example/hook"`+more+`}`, headers...)
}

// stored is an endpoint as stored.
func (b *fixture) stored(id string) webhook.Endpoint {
	b.t.Helper()
	return b.Endpoint(b.view().Get(webhook.Endpoints, id))
}

// brands creates n records shared by both environments, a minute apart. Earlier events are numbered first, so
// that the new ones get consecutive numbers: one round of numbering goes collection by collection.
func (b *fixture) brands(n int) {
	b.t.Helper()
	b.number()
	for range n {
		b.must("POST", "/brands", `{"name":"Nord","slug":"`+strings.ToLower(rand.Text())+`"}`, owner...)
		b.pass(time.Minute)
	}
	b.number()
}

// number assigns sequence numbers to all events.
func (b *fixture) number() {
	b.t.Helper()
	for {
		if n, err := b.store.Sequence(b.t.Context()); err != nil {
			b.t.Fatal(err)
		} else if n == 0 && b.numbered() {
			return
		}
	}
}

// numbered reports whether the newest event of the tenant has a sequence number: another test may be
// numbering concurrently.
func (b *fixture) numbered() bool {
	b.t.Helper()
	newest, err := b.store.EventLog().Newest(b.t.Context(), []tenant.ID{b.shop.ID})
	if err != nil {
		b.t.Fatal(err)
	}
	return newest[b.shop.ID] == b.events()
}

// events counts the changes of the tenant: each has one event.
func (b *fixture) events() (n int64) {
	b.t.Helper()
	for _, s := range b.Registry.All() {
		for _, r := range b.view().All(s) {
			if !s.NoEvents {
				n += r.Sequence()
			}
		}
	}
	return n
}

// decided advances the fan-out cursor, as the dispatcher does for endpoints that receive none of the events.
func (b *fixture) decided() {
	b.t.Helper()
	newest, err := b.store.EventLog().Newest(b.t.Context(), []tenant.ID{b.shop.ID})
	if err == nil {
		err = b.store.Deliveries().FanOut(b.t.Context(), b.shop.ID, 0, newest[b.shop.ID], nil)
	}
	if err != nil {
		b.t.Fatal(err)
	}
}

// deliveries of the tenant, by event.
func (b *fixture) deliveries() map[string]webhook.Delivery {
	b.t.Helper()
	out := map[string]webhook.Delivery{}
	for _, r := range b.view().All(webhook.Deliveries) {
		d := webhook.DeliveryFrom(r)
		out[d.Event] = d
	}
	return out
}

// outcome stores the result of a delivery, as the dispatcher does.
func (b *fixture) outcome(d webhook.Delivery) {
	b.t.Helper()
	b.view().Atomically(func(ctx context.Context, tx ports.Tx) error {
		before, err := tx.Records.Lock(ctx, webhook.Deliveries, d.ID)
		if err != nil {
			return err
		}
		after := d.Record()
		after["tenant"] = string(b.shop.ID)
		return tx.Records.Write(ctx, collection.NewChange(webhook.Deliveries, before, after, shops.NewID(), b.now()))
	})
}
