package hooking_test

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
	"github.com/cartwright-dev/cartwright/app/content"
	"github.com/cartwright-dev/cartwright/app/hooking"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/platform"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

var start = time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)

// bed is a shop of its own on a real database, behind HTTP.
type bed struct {
	*hooking.Hooking

	t       testing.TB
	store   *sqlstore.Store
	app     *fiber.App
	shop    tenant.Facts
	secrets map[int][]byte
	passed  atomic.Int64 // since start
	woken   atomic.Int64 // how often the deliverer was told
}

func newBed(t testing.TB, store *sqlstore.Store, plan tenant.Plan) *bed {
	t.Helper()
	registry, err := collection.NewRegistry(platform.Schemas()...)
	if err != nil {
		t.Fatal(err)
	}
	b := &bed{t: t, store: store, secrets: map[int][]byte{1: []byte("thirty-two bytes of secret for it")}}
	b.shop = tenant.Facts{ID: tenant.ID(shops.NewID()), Plan: plan, Currency: "KRW", CommerceEnabled: true}
	runner := &once.Runner{Store: store, Claims: store.Claims(), Cache: memory.NewReceipts(1<<20, b.now), Now: b.now, NewID: shops.NewID}
	b.Hooking = &hooking.Hooking{
		Store: store, Log: store.EventLog(), Cursors: store.Deliveries(), Once: runner, Vault: b.vault(), Registry: registry, Now: b.now, NewID: shops.NewID, Wake: func(string) { b.woken.Add(1) },
	}
	records := &content.Content{
		Store: store, Registry: registry, Fold: strings.ToLower, Now: b.now, NewID: shops.NewID,
		Hooks: map[string]content.Hooks{webhook.Endpoints.Slug: b.Hooks()},
	}
	b.app = rest.New(rest.Options{
		Log: slog.New(slog.DiscardHandler), Access: door{b}, NewID: shops.NewID, Now: b.now,
		Areas: []rest.Area{rest.Operations(operation.Webhooks(b.Hooking)), rest.Collections{Content: records}},
	})
	b.view().Atomically(func(ctx context.Context, tx ports.Tx) error {
		shop := collection.Record{"id": string(b.shop.ID), "tenant": string(b.shop.ID), "name": "Shop", "slug": "shop-" + string(b.shop.ID), "plan": string(plan), "currency": "KRW"}
		return tx.Records.Write(ctx, collection.NewChange(identity.Tenants, nil, shop, shops.NewID(), start))
	})
	return b
}

func (b *bed) vault() token.Vault {
	b.t.Helper()
	secrets, err := token.NewSecrets(b.secrets)
	if err != nil {
		b.t.Fatal(err)
	}
	return token.NewVault(secrets)
}

func (b *bed) now() time.Time { return start.Add(time.Duration(b.passed.Load())) }

func (b *bed) pass(d time.Duration) { b.passed.Add(int64(d)) }

func (b *bed) view() shops.View { return shops.See(b.t, b.store, b.shop.ID) }

// door knows credentials of one shop, and a stranger's.
type door struct{ b *bed }

func (d door) Authenticate(_ context.Context, c access.Credentials) (tenant.Principal, error) {
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

func (b *bed) do(r *http.Request) (*http.Response, error) { return b.app.Test(r, -1) }

func (b *bed) ask(method, path, body string, headers ...string) (int, shops.Said) {
	b.t.Helper()
	return shops.Ask(b.t, b.do, method, path, body, headers...)
}

// must is an answer that has to be a success.
func (b *bed) must(method, path, body string, headers ...string) shops.Said {
	b.t.Helper()
	status, said := b.ask(method, path, body, headers...)
	if status >= 300 {
		b.t.Fatalf("%s %s: %d %v", method, path, status, said["raw"])
	}
	return said
}

// endpoint makes one, with further members.
func (b *bed) endpoint(more string, headers ...string) shops.Said {
	b.t.Helper()
	if headers == nil {
		headers = owner
	}
	return b.must("POST", "/webhook-endpoints", `{"url":"https://shop.example/hook"`+more+`}`, headers...)
}

// stored is an endpoint as it is kept.
func (b *bed) stored(id string) webhook.Endpoint {
	b.t.Helper()
	return b.Endpoint(b.view().Get(webhook.Endpoints, id))
}

// brands makes so many records that both environments share, one after the other, a minute between them. What was before
// them has its numbers first, so that theirs are in a row: a round of numbering goes by collections.
func (b *bed) brands(n int) {
	b.t.Helper()
	b.number()
	for range n {
		b.must("POST", "/brands", `{"name":"Nord","slug":"`+strings.ToLower(rand.Text())+`"}`, owner...)
		b.pass(time.Minute)
	}
	b.number()
}

// number gives every event its number.
func (b *bed) number() {
	b.t.Helper()
	for {
		if n, err := b.store.Sequence(b.t.Context()); err != nil {
			b.t.Fatal(err)
		} else if n == 0 && b.numbered() {
			return
		}
	}
}

// numbered reports whether the newest event of the shop has a number: another test may be at it.
func (b *bed) numbered() bool {
	b.t.Helper()
	newest, err := b.store.EventLog().Newest(b.t.Context(), []tenant.ID{b.shop.ID})
	if err != nil {
		b.t.Fatal(err)
	}
	return newest[b.shop.ID] == b.events()
}

// events counts the changes of the shop: each has one event.
func (b *bed) events() (n int64) {
	b.t.Helper()
	for _, s := range b.Registry.All() {
		for _, r := range b.view().All(s) {
			if !s.Silent {
				n += r.Sequence()
			}
		}
	}
	return n
}

// decided is what the deliverer does with the log, for endpoints that hear of nothing in it.
func (b *bed) decided() {
	b.t.Helper()
	newest, err := b.store.EventLog().Newest(b.t.Context(), []tenant.ID{b.shop.ID})
	if err == nil {
		err = b.store.Deliveries().FanOut(b.t.Context(), b.shop.ID, 0, newest[b.shop.ID], nil)
	}
	if err != nil {
		b.t.Fatal(err)
	}
}

// deliveries of the shop, by event.
func (b *bed) deliveries() map[string]webhook.Delivery {
	b.t.Helper()
	out := map[string]webhook.Delivery{}
	for _, r := range b.view().All(webhook.Deliveries) {
		d := webhook.DeliveryFrom(r)
		out[d.Event] = d
	}
	return out
}

// outcome stores what became of a delivery, as the deliverer does.
func (b *bed) outcome(d webhook.Delivery) {
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
