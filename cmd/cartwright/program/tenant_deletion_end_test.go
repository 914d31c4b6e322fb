package program

import (
	"archive/zip"
	"database/sql"
	"encoding/json"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/app/onboarding"
	"github.com/cartwright-dev/cartwright/app/tenantdeletion"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// An instance is killed in the middle of a deletion, and another one that is started afterwards finishes it. Rule access-59.
func TestDeletionIsFinishedByAnotherInstance(t *testing.T) {
	t.Parallel()
	database := migratedDB.Postgres(t)
	env := []string{"CARTWRIGHT_DATA=" + t.TempDir(), "CARTWRIGHT_DATABASE_URL=" + database, "CARTWRIGHT_LOG_LEVEL=error"}
	first := startProcess(t, env...)
	text, err := first.createShop(t.Context(), "Closed Shop")
	var shop credentials
	if err == nil {
		err = json.Unmarshal(text, &shop)
	}
	if err != nil {
		t.Fatal(err)
	}
	w := &twoShops{T: t, gone: shop, system: onboarding.SystemPrincipal(tenant.Settings{ID: tenant.ID(shop.TenantID)}, tenant.Live)}
	w.s = &Server{core: openCoreWith(t, env)}
	if w.db, err = sql.Open("pgx", database); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.db.Close() })
	const many = 100_000
	_, err = w.db.ExecContext(t.Context(), "INSERT INTO receipts (tenant, key, fingerprint, done, created_at) SELECT $1, decode(md5(g::text), 'hex'), ''::bytea, TRUE, now() "+
		"FROM generate_series(1, $2::int) g", shop.TenantID, many)
	if err != nil {
		t.Fatal(err)
	}
	w.export()
	id := tenant.ID(shop.TenantID)
	if _, err := w.s.tenantDeletion.Delete(t.Context(), w.system, tenantdeletion.Order{Tenant: id, Confirm: w.slug()}); err != nil {
		t.Fatal(err)
	}
	count := "SELECT CAST(count(*) AS text) FROM receipts WHERE tenant = '" + shop.TenantID + "'"
	waitUntil(t, func() bool { return w.column(count)[0] != strconv.Itoa(many) })
	first.Kill()
	if left := w.column(count)[0]; left == "0" {
		t.Fatal("it was finished before it was killed")
	}
	second := startProcess(t, env...)
	w.waitForEnd()
	for table, rows := range w.rows(func(row string) bool { return strings.Contains(row, shop.TenantID) }) {
		if table != "tenant_deletions" && len(rows) > 0 {
			t.Errorf("%s names the shop: %q", table, rows)
		}
	}
	if status, a := requestJSON(t, "GET", second.URL+"/api/products", "", "X-API-Key: "+shop.SecretKey); status != http.StatusUnauthorized {
		t.Errorf("%d %v", status, a)
	}
}

// The commands do what the operations do, without a server; the server erases when it starts. The last tenant stays.
func TestTenantIsDeletedByCommands(t *testing.T) {
	t.Parallel()
	m := newCommandEnv(t)
	m.must(t, "demo")
	m.must(t, "tenant", "suspend", "closed", "--tenant", string(demoID))
	refused := func(reason string, args ...string) {
		t.Helper()
		_, err := m.command(t, append([]string{"tenant", "delete", "--tenant", string(demoID)}, args...)...)
		if err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%v: %v, want %s", args, err, reason)
		}
	}
	var shop struct{ Slug string }
	if err := json.Unmarshal([]byte(m.must(t, "tenant", "show", "--tenant", string(demoID), "--json")), &shop); err != nil {
		t.Fatal(err)
	}
	refused("The last tenant", "--confirm", shop.Slug, "--without-export")
	m.must(t, "tenant", "create", "--name", "Other")
	refused("confirm")
	refused("with the slug", "--confirm", "other")
	refused("Export the tenant", "--confirm", shop.Slug)
	file := filepath.Join(t.TempDir(), "shop.zip")
	if out := m.must(t, "tenant", "export", file, "--tenant", string(demoID), "--json"); !strings.Contains(out, `"complete": true`) {
		t.Error(out)
	}
	if _, err := m.command(t, "tenant", "export", file, "--tenant", string(demoID)); err == nil {
		t.Error("an export was overwritten")
	}
	if files, err := zip.OpenReader(file); err != nil {
		t.Error(err)
	} else if err := files.Close(); err != nil {
		t.Error(err)
	}
	if out := m.must(t, "tenant", "delete", "--tenant", string(demoID), "--confirm", shop.Slug, "--json"); !strings.Contains(out, `"status": "deleting"`) {
		t.Error(out)
	}
	refused("there is no tenant", "--confirm", shop.Slug)
	m.serve(t)
	waitUntil(t, func() bool {
		return strings.Contains(m.must(t, "tenant", "deletions", "--json"), `"status": "deleted"`)
	})
}
