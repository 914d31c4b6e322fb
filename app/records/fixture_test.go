package records_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/media"
	"github.com/cartwright-dev/cartwright/domain/shipping"
	"github.com/cartwright-dev/cartwright/domain/tax"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

type tree = map[string]any

func num(text string) collection.JSONNumber { return collection.JSONNumber(text) }

// fixture is a tenant in a new SQLite file.
type fixture struct {
	*testing.T

	content *records.Service
	by      tenant.Principal
}

func newFixture(t *testing.T) fixture {
	t.Helper()
	schemas := slices.Concat(catalog.Schemas(), media.Schemas(), identity.Schemas(), []*collection.Schema{
		discount.Schema, shipping.Schema, tax.Schema, inventory.Locations,
	})
	registry, err := collection.NewRegistry(schemas...)
	if err != nil {
		t.Fatal(err)
	}
	store, err := sqlstore.Open(t.Context(), sqlstore.Options{
		Path: filepath.Join(testservers.TempDir(t), "shop.db"), Registry: registry, Fold: strings.ToLower,
		Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	n := 0
	c := &records.Service{
		Store: store, Registry: registry, Hooks: records.CatalogHooks(store, registry), Fold: strings.ToLower,
		Now:   func() time.Time { return time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC) },
		NewID: func() string { n++; return fmt.Sprintf("id-%05d", n) },
	}
	facts := tenant.Settings{ID: "shop", Country: "KR", Currency: "KRW", CommerceEnabled: true}
	return fixture{t, c, tenant.Principal{Kind: tenant.SecretKey, Tenant: facts, Environment: tenant.Live, CanRead: true, CanWrite: true}}
}

// inTransaction writes inside a new transaction.
func (b fixture) inTransaction(do func(ctx context.Context, tx ports.Tx) error) error {
	return b.content.Store.Atomically(b.Context(), ports.ForTenant("shop"), do)
}

func (b fixture) create(s *collection.Schema, input tree) (r collection.Record, err error) {
	err = b.inTransaction(func(ctx context.Context, tx ports.Tx) error {
		r, err = records.InTransaction{Service: b.content}.Create(ctx, tx, b.by, s, input)
		return err
	})
	return r, err
}

func (b fixture) update(s *collection.Schema, id string, input tree) (r collection.Record, err error) {
	err = b.inTransaction(func(ctx context.Context, tx ports.Tx) error {
		r, err = records.InTransaction{Service: b.content}.Update(ctx, tx, b.by, s, id, input)
		return err
	})
	return r, err
}

func (b fixture) mustCreate(s *collection.Schema, input tree) collection.Record {
	b.Helper()
	r, err := b.create(s, input)
	if err != nil {
		b.Fatalf("%s: %v %v", s.Slug, err, fault.From(err).Fields)
	}
	return r
}

func (b fixture) product(more tree) collection.Record {
	b.Helper()
	input := tree{"name": "Shirt", "status": "published", "price": num("10000")}
	maps.Copy(input, more)
	return b.mustCreate(catalog.Products, input)
}

// all lists the records of s in env that refer to the product, by id.
func (b fixture) all(s *collection.Schema, field, id string, env tenant.Environment) []collection.Record {
	b.Helper()
	page, err := b.content.Store.Read(ports.ForTenant("shop")).Find(b.Context(), collection.Query{
		Schema: s, Environment: string(env), Where: s.Where(field, collection.Equals, id), Limit: 100, Page: 1,
		Sort: s.SortBy("id"),
	})
	if err != nil {
		b.Fatal(err)
	}
	return page.Docs
}

func (b fixture) variants(product collection.Record) []collection.Record {
	b.Helper()
	return b.all(catalog.Variants, "product", product.ID(), tenant.Live)
}

func (b fixture) refused(err error, fields ...string) {
	b.Helper()
	var got []string
	for _, f := range fault.From(err).Fields {
		got = append(got, f.Field)
	}
	if !errors.Is(err, fault.ErrValidation) || !slices.Equal(got, fields) {
		b.Errorf("got %v on %v, want a refusal of %v", err, got, fields)
	}
}

func callBy(p tenant.Principal) idempotency.Call {
	return idempotency.Call{Principal: p, RequestID: "r"}
}
