package portstest

import (
	"context"
	"errors"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

func otherTenant(t *testing.T, s recordStore) {
	foreign := s.create(t, theirs, makers, collection.Record{"id": "m", "name": "theirs"})
	s.create(t, ours, things, collection.Record{"id": "t", "title": "ours", "maker": "m", "rivals": []string{"m"}})
	CheckHidden(t, s.Store, ours, makers, foreign)
	for _, path := range [][]collection.Field{Path(things, "maker", "name"), Path(things, "rivals", "name")} {
		q := collection.Query{
			Schema: things, Where: collection.Comparison{Path: path, Op: collection.Equals, Values: []any{"theirs"}}, Limit: 10, Page: 1,
		}
		if page, err := s.Read(ports.ForTenant(ours)).Find(t.Context(), q); err != nil || page.TotalDocs != 0 {
			t.Errorf("a condition followed a relation to another tenant: %v, %v", page, err)
		}
	}
	both := ports.Scope{Tenants: []tenant.ID{ours, theirs}}
	for _, scope := range []ports.Scope{both, {System: true}} {
		if _, err := s.Read(scope).Get(t.Context(), makers, "m"); err != nil {
			t.Errorf("scope %v: %v", scope, err)
		}
	}
	acrossTenants(t, s, foreign)
}

// acrossTenants checks that only System work with AllTenants accesses tenants outside its scope.
func acrossTenants(t *testing.T, s recordStore, foreign collection.Record) {
	t.Helper()
	for name, c := range map[string]struct {
		scope ports.Scope
		want  error
	}{
		"a tenant":               {ports.ForTenant(ours), ports.ErrNotFound},
		"the system in a tenant": {ports.Scope{System: true, Tenants: []tenant.ID{ours}}, nil},
	} {
		err := s.Atomically(t.Context(), c.scope, func(ctx context.Context, tx ports.Tx) error {
			if _, err := tx.Records.Get(ctx, makers, foreign.ID()); !errors.Is(err, ports.ErrNotFound) {
				t.Errorf("%s: its own records hold a foreign one: %v", name, err)
			}
			found, err := tx.AllTenants.Get(ctx, makers, foreign.ID())
			if !errors.Is(err, c.want) || err != nil {
				return nil //nolint:nilerr // it has to be absent
			}
			changed := found.Clone()
			changed["name"] = "changed"
			return tx.AllTenants.Write(ctx, collection.NewChange(makers, found, changed, "across", noon))
		})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got, err := s.Read(ports.ForTenant(theirs)).Get(t.Context(), makers, foreign.ID()); err != nil || got.Text("name") != "changed" {
		t.Errorf("the change across tenants is lost: %v, %v", got, err)
	}
	if s.Atomically(t.Context(), ports.ForTenant(ours), func(ctx context.Context, tx ports.Tx) error {
		return tx.AllTenants.Write(ctx, collection.NewChange(makers, nil, collection.Record{"id": "x", "tenant": string(theirs)}, "stolen", noon))
	}) == nil {
		t.Error("one tenant's work wrote with AllTenants")
	}
}

// CheckHidden checks that a record of another tenant cannot be read, locked, changed or deleted from one
// tenant's scope.
func CheckHidden(t *testing.T, s ports.Store, from tenant.ID, c *collection.Schema, foreign collection.Record) {
	t.Helper()
	r := s.Read(ports.ForTenant(from))
	_, err := r.Get(t.Context(), c, foreign.ID())
	expect(t, err, ports.ErrNotFound)
	many, err := r.GetMany(t.Context(), c, []string{foreign.ID()}, nil)
	if len(many) != 0 || err != nil {
		t.Errorf("GetMany saw %v, %v", many, err)
	}
	page, err := r.Find(t.Context(), collection.Query{Schema: c, Limit: 10, Page: 1})
	if len(page.Docs) != 0 || page.TotalDocs != 0 || err != nil {
		t.Errorf("Find saw %v, %v", page, err)
	}
	expect(t, s.Atomically(t.Context(), ports.ForTenant(from), func(ctx context.Context, tx ports.Tx) error {
		_, err := tx.Records.Lock(ctx, c, foreign.ID())
		return err
	}), ports.ErrNotFound)
	expect(t, s.Atomically(t.Context(), ports.ForTenant(from), func(ctx context.Context, tx ports.Tx) error {
		_, err := tx.Records.LockShared(ctx, c, foreign.ID())
		return err
	}), ports.ErrNotFound)
	disguised := foreign.Clone()
	disguised["tenant"] = string(from)
	expect(t, s.Atomically(t.Context(), ports.ForTenant(from), func(ctx context.Context, tx ports.Tx) error {
		return tx.Records.Write(ctx, collection.NewChange(c, foreign, disguised, "stolen", noon))
	}), ports.ErrStale)
	if _, err := s.Read(ports.ForTenant(tenant.ID(foreign.Text("tenant")))).Get(t.Context(), c, foreign.ID()); err != nil {
		t.Errorf("the owner lost the record: %v", err)
	}
}

func foreignWrite(t *testing.T, s recordStore) {
	change := collection.NewChange(makers, nil, collection.Record{"id": "m", "tenant": string(theirs)}, "e", noon)
	if err := s.Atomically(t.Context(), ports.ForTenant(ours), func(ctx context.Context, tx ports.Tx) error {
		return tx.Records.Write(ctx, change)
	}); err == nil {
		t.Error("a record was written to another tenant")
	}
	_, err := s.Read(ports.ForTenant(theirs)).Get(t.Context(), makers, "m")
	expect(t, err, ports.ErrNotFound)
}
