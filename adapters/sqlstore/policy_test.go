package sqlstore_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

// A database of an older version, whose policies look up each row's tenant in the list of those that are bound, gets
// those that compare it with the only one first; an older instance keeps serving.
func TestOlderPoliciesBecomeComparisons(t *testing.T) {
	t.Parallel()
	registry := portstest.ScratchRegistry()
	o := sqlstore.Options{URL: testservers.Postgres(t), Registry: registry, Fold: fold}
	older := opened(t, o)
	admin, err := pgx.Connect(t.Context(), o.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer admin.Close(context.Background())
	const test = "tenant IN (SELECT unnest(string_to_array(current_setting('cartwright.tenants', true), ',')))"
	_, err = admin.Exec(t.Context(), "ALTER POLICY bound ON makers USING ("+test+") WITH CHECK ("+test+
		"); SET ROLE cartwright_system; DELETE FROM migrations; RESET ROLE")
	if err != nil {
		t.Fatal(err)
	}
	plan, err := sqlstore.Plan(t.Context(), o)
	if err != nil || len(plan) != 1 || !strings.Contains(plan[0], `ALTER POLICY bound ON "makers"`) {
		t.Errorf("plan: %v, %v", plan, err)
	}
	s := opened(t, o)
	var left int
	if err := admin.QueryRow(t.Context(), "SELECT count(*) FROM pg_policies WHERE policyname = 'bound' AND (qual NOT LIKE '% OR %' OR with_check NOT LIKE '% OR %')").
		Scan(&left); err != nil || left > 0 {
		t.Errorf("%d are left, %v", left, err)
	}
	if plan, err := sqlstore.Plan(t.Context(), o); err != nil || len(plan) > 0 {
		t.Errorf("afterwards: %v, %v", plan, err)
	}
	makers := registry.Get("makers")
	put := func(s *sqlstore.Store, id, of string, scope ports.Scope) error {
		return write(t.Context(), s, scope, makers, nil, collection.Record{"id": id, "tenant": of, "name": id}, "e"+id)
	}
	both := ports.Scope{Tenants: append(ports.ForTenant("a").Tenants, "b")}
	if err := errors.Join(put(older, "m1", "a", ports.ForTenant("a")), put(s, "m2", "b", both), put(s, "m3", "c", ports.ForTenant("c"))); err != nil {
		t.Error(err)
	}
	s.SkipTenantFilter()
	if err := put(s, "m4", "c", both); err == nil {
		t.Error("a row was planted in a tenant that is not bound")
	}
	for want, scope := range map[int64]ports.Scope{1: ports.ForTenant("a"), 2: both} {
		page, err := s.Read(scope).Find(t.Context(), collection.Query{Schema: makers, Limit: 9, Page: 1})
		if err != nil || page.TotalDocs != want {
			t.Errorf("%v sees %d, %v", scope.Tenants, page.TotalDocs, err)
		}
	}
}
