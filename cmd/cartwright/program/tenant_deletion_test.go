package program

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib"

	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/app/onboarding"
	"github.com/cartwright-dev/cartwright/app/tenantdeletion"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// twoShops is a server with the demo shop and another one that has the same goods and the same first admin.
type twoShops struct {
	*testing.T

	s          *Server
	db         *sql.DB
	gone, kept credentials
	goneBuyer  sandboxBuyer
	keptBuyer  sandboxBuyer
	system     tenant.Principal // of the shop that goes
}

func newTwoShops(t *testing.T, variables map[string]string) *twoShops {
	t.Helper()
	m := newCommandEnv(t)
	for name, value := range variables {
		m = m.with(name, value)
	}
	c, err := m.config()
	if err != nil {
		t.Fatal(err)
	}
	s := startServer(t, c, nil, slog.New(slog.DiscardHandler))
	two := &twoShops{T: t, s: s, gone: *s.NewCredentials}
	two.kept = two.found("Other Shop", two.gone.AdminEmail)
	driver, address := "sqlite", "file:"+filepath.Join(c.Data, storeFile)+"?mode=ro"
	if c.Database != "" {
		driver, address = "pgx", c.Database
	}
	if two.db, err = sql.Open(driver, address); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = two.db.Close() })
	two.system = onboarding.SystemPrincipal(tenant.Settings{ID: tenant.ID(two.gone.TenantID)}, tenant.Live)
	two.goneBuyer, two.keptBuyer = two.fill(two.gone), two.fill(two.kept)
	return two
}

// found creates another shop; its admin, who is a person of the demo shop, accepts the invitation.
func (w *twoShops) found(name, admin string) credentials {
	w.Helper()
	draft, err := w.s.onboarding.Prepare(onboarding.TenantInput{Name: name, Plan: tenant.Free, Currency: "KRW", AdminEmail: admin})
	if err != nil {
		w.Fatal(err)
	}
	invitation, err := w.s.onboarding.CreateOrInvite(w.Context(), draft)
	if err != nil {
		w.Fatal(err)
	}
	out := newCredentials(draft, w.s.BaseURL)
	token := logInAs(w.T, w.s, "users", w.gone.AdminEmail, w.gone.AdminPassword)
	if status, a := requestJSON(w.T, "POST", w.s.BaseURL+"/api/invitations/"+invitation.Token+"/accept", "{}",
		"Authorization: Bearer "+token); status != http.StatusOK {
		w.Fatalf("%d %v", status, a)
	}
	return out
}

// fill gives a shop some of everything: goods, a customer, files, webhooks, an order that is paid, and one that is refunded.
func (w *twoShops) fill(c credentials) sandboxBuyer {
	w.Helper()
	b := newBuyer(w.T, w.s.BaseURL, c.TestSecretKey)
	for path, body := range map[string]string{
		"/api/webhook-endpoints": `{"url":"https://shop.example/hook","collections":["orders"]}`,
		"/api/brands":            `{"name":"Brand of ` + c.TenantID + `"}`,
	} {
		if status, a := requestJSON(w.T, "POST", w.s.BaseURL+path, body, "X-API-Key: "+c.SecretKey); status/100 != 2 {
			w.Fatalf("%s: %d %v", path, status, a)
		}
	}
	if status, a := requestJSON(w.T, "POST", w.s.BaseURL+"/api/customers/register", `{"email":"kim@shop.example","password":"correct horse"}`,
		"X-Client-Key: "+c.ClientKey); status != http.StatusCreated {
		w.Fatalf("%d %v", status, a)
	}
	w.upload(c, "picture of "+c.TenantID)
	b.buy()
	w.exportProducts(c)
	return b
}

// exportProducts leaves the shop with an exported file.
func (w *twoShops) exportProducts(c credentials) {
	w.Helper()
	key := "X-API-Key: " + c.SecretKey
	status, a := requestJSON(w.T, "POST", w.s.BaseURL+"/api/exports", `{"kind":"products","format":"csv"}`, key)
	if status/100 != 2 {
		w.Fatalf("%d %v", status, a)
	}
	id := textAt(a, "export", "id")
	waitUntil(w.T, func() bool {
		_, a := requestJSON(w.T, "GET", w.s.BaseURL+"/api/exports/"+id, "", key)
		if problem := textAt(a, "problem"); problem != "" {
			w.Fatalf("%v", a)
		}
		return textAt(a, "status") == "done"
	})
}

// upload uploads a file.
func (w *twoShops) upload(c credentials, text string) {
	w.Helper()
	body := "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\nContent-Type: text/plain\r\n\r\n" + text + "\r\n--b--\r\n"
	r, err := http.NewRequestWithContext(w.Context(), http.MethodPost, w.s.BaseURL+"/api/media", strings.NewReader(body))
	if err != nil {
		w.Fatal(err)
	}
	r.Header.Set("X-API-Key", c.SecretKey)
	r.Header.Set("Content-Type", "multipart/form-data; boundary=b")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		w.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode != http.StatusCreated {
		text, _ := io.ReadAll(answer.Body)
		w.Fatalf("%d %s", answer.StatusCode, text)
	}
}

// export suspends the shop that goes and exports it until the export is complete: work that was on its way may come between.
func (w *twoShops) export() (archive []byte) {
	w.Helper()
	id := tenant.ID(w.gone.TenantID)
	if _, err := w.s.suspension.Suspend(w.Context(), w.system, id, "closed"); err != nil {
		w.Fatal(err)
	}
	waitUntil(w.T, func() bool {
		var out bytes.Buffer
		done, err := w.s.tenantExport.Export(w.Context(), w.system, id, &out)
		archive = out.Bytes()
		return err == nil && done.Recorded
	})
	return archive
}

// slug is that of the shop that goes.
func (w *twoShops) slug() string {
	w.Helper()
	return w.column("SELECT slug FROM tenants WHERE id = '" + w.gone.TenantID + "'")[0]
}

// delete deletes the shop and waits until nothing is left to be done.
func (w *twoShops) delete() {
	w.Helper()
	id := tenant.ID(w.gone.TenantID)
	if _, err := w.s.tenantDeletion.Delete(w.Context(), w.system, tenantdeletion.Order{Tenant: id, Confirm: w.slug()}); err != nil {
		w.Fatal(err)
	}
	w.waitForEnd()
}

// waitForEnd waits until the deletion is finished.
func (w *twoShops) waitForEnd() {
	w.Helper()
	waitUntil(w.T, func() bool {
		d, err := w.s.store.TenantErasure().Find(w.Context(), tenant.ID(w.gone.TenantID))
		return err == nil && !d.Finished.IsZero()
	})
}

// rows are all rows of the database as text, by table, that match.
func (w *twoShops) rows(match func(row string) bool) map[string][]string {
	w.Helper()
	query := "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
	if w.s.config.Database != "" {
		query = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
	}
	found := map[string][]string{}
	for _, table := range w.column(query) {
		one := `SELECT CAST(t AS text) FROM "` + table + `" t`
		if w.s.config.Database == "" {
			columns := w.column("SELECT name FROM pragma_table_info('" + table + "')")
			one = `SELECT coalesce("` + strings.Join(columns, `", '-') || '|' || coalesce("`) + `", '-') FROM "` + table + `"`
		}
		for _, row := range w.column(one) {
			if match(row) {
				found[table] = append(found[table], row)
			}
		}
		slices.Sort(found[table])
	}
	return found
}

// column are the texts of a query with one column.
func (w *twoShops) column(query string) (all []string) {
	w.Helper()
	rows, err := w.db.QueryContext(w.Context(), query)
	if err != nil {
		w.Fatalf("%s: %v", query, err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var one string
		if err := rows.Scan(&one); err != nil {
			w.Fatalf("%s: %v", query, err)
		}
		all = append(all, one)
	}
	if err := rows.Err(); err != nil {
		w.Fatal(err)
	}
	return all
}

// settle waits until what follows the events of the shops has caught up, and no mail is on its way: rows of the other shop change by that.
func (w *twoShops) settle() {
	w.Helper()
	behind := " p ON p.tenant = c.tenant WHERE coalesce(p.sequence, 0) < c.last"
	waitUntil(w.T, func() bool {
		for _, open := range []string{
			"event_counters c LEFT JOIN search_places" + behind + " OR p.reading <> ''",
			"event_counters c LEFT JOIN product_places" + behind + " OR p.reading <> ''",
			"event_counters c LEFT JOIN notice_places" + behind, "event_counters c LEFT JOIN mail_places" + behind,
			"mail_deliveries WHERE next_attempt_at IS NOT NULL",
		} {
			if w.column("SELECT CAST(count(*) AS text) FROM " + open)[0] != "0" {
				return false
			}
		}
		return true
	})
}

func onTwoShops(t *testing.T, test func(w *twoShops)) {
	t.Helper()
	testservers.OnBothDatabases(t, func(t *testing.T) {
		test(newTwoShops(t, nil))
	}, func(t *testing.T) {
		test(newTwoShops(t, map[string]string{"CARTWRIGHT_DATABASE_URL": migratedDB.Postgres(t), "CARTWRIGHT_REDIS_URL": testservers.Redis(t)}))
	})
}

// A shop that is deleted leaves its tombstone and nothing else, in the database and among the files. A shop with the same goods
// and the same people keeps every row as it was. Rule access-59.
func TestDeletedTenantLeavesItsTombstoneAlone(t *testing.T) {
	onTwoShops(t, func(w *twoShops) {
		t := w.T
		names := func(id string) func(string) bool {
			return func(row string) bool { return strings.Contains(row, id) }
		}
		w.export()
		w.settle()
		before := w.rows(names(w.kept.TenantID))
		w.delete()
		for table, rows := range w.rows(names(w.gone.TenantID)) {
			if len(rows) > 0 && table != "tenant_deletions" {
				t.Errorf("%s names the shop: %q", table, rows)
			}
		}
		after := w.rows(names(w.kept.TenantID))
		for table, rows := range before {
			if table != "accounts" && !slices.Equal(rows, after[table]) {
				t.Errorf("%s of the other shop has %q, want %q", table, after[table], rows)
			}
		}
		if len(before["media"]) == 0 || len(before["products"]) == 0 {
			t.Error("the other shop has nothing")
		}
		files, err := filepath.Glob(filepath.Join(w.s.config.Data, mediaFolder, w.gone.TenantID, "*", "*"))
		kept, keptErr := filepath.Glob(filepath.Join(w.s.config.Data, mediaFolder, w.kept.TenantID, "*", "*"))
		if err != nil || keptErr != nil || len(files) > 0 || len(kept) == 0 {
			t.Errorf("files %q and %q, %v, %v", files, kept, err, keptErr)
		}
		w.checkCallers()
	})
}

// checkCallers checks that callers of the shop are refused as unknown, and that its people keep their other shop.
func (w *twoShops) checkCallers() {
	w.Helper()
	for name, header := range map[string]string{"secret key": "X-API-Key: " + w.gone.SecretKey, "client key": "X-Client-Key: " + w.gone.ClientKey} {
		if status, a := requestJSON(w.T, "GET", w.s.BaseURL+"/api/products", "", header); status != http.StatusUnauthorized {
			w.Errorf("%s: %d %v", name, status, a)
		}
	}
	login := fmt.Sprintf(`{"email":%q,"password":%q}`, w.gone.AdminEmail, w.gone.AdminPassword)
	if status, a := requestJSON(w.T, "POST", w.s.BaseURL+"/api/users/login", login, "X-Tenant-Id: "+w.gone.TenantID); status != http.StatusForbidden ||
		textAt(a, "errors", "0", "extensions", "reason") != "tenant_not_joined" {
		w.Errorf("a login to the shop: %d %v", status, a)
	}
	if status, a := requestJSON(w.T, "POST", w.s.BaseURL+"/api/users/login", login); status != http.StatusOK {
		w.Errorf("a login to the other one: %d %v", status, a)
	}
	if status, a := requestJSON(w.T, "GET", w.s.BaseURL+"/api/products", "", "X-API-Key: "+w.kept.SecretKey); status != http.StatusOK {
		w.Errorf("the other shop: %d %v", status, a)
	}
}

// The archive of a shop has what its manifest says, and none of its secrets. Rule access-57.
func TestExportHasWhatItsManifestSays(t *testing.T) {
	onTwoShops(t, func(w *twoShops) {
		t := w.T
		secrets := slices.Concat([]string{w.gone.SecretKey, w.gone.ClientKey, w.gone.TestSecretKey, w.gone.AdminPassword, "correct horse"},
			w.hashes())
		archive := w.export()
		files, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
		if err != nil {
			t.Fatal(err)
		}
		texts := map[string][]byte{}
		for _, f := range files.File {
			r, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			if texts[f.Name], err = io.ReadAll(r); err != nil {
				t.Fatal(err)
			}
			for _, secret := range secrets {
				if bytes.Contains(texts[f.Name], []byte(secret)) {
					t.Errorf("%s has the secret %q", f.Name, secret)
				}
			}
			if bytes.Contains(texts[f.Name], []byte(w.kept.TenantID)) {
				t.Errorf("%s names the other shop", f.Name)
			}
		}
		checkManifest(t, texts)
		want := w.column("SELECT CAST(count(*) AS text) FROM products WHERE tenant = '" + w.gone.TenantID + "'")[0]
		if n := bytes.Count(texts["collections/products.ndjson"], []byte("\n")); fmt.Sprint(n) != want {
			t.Errorf("%d products, want %s", n, want)
		}
		if !slices.ContainsFunc(files.File, func(f *zip.File) bool {
			return strings.HasPrefix(f.Name, "media/") && string(texts[f.Name]) == "picture of "+w.gone.TenantID
		}) {
			t.Error("the file is missing")
		}
	})
}

// hashes are the hashes and sealed secrets in the database.
func (w *twoShops) hashes() []string {
	w.Helper()
	all := w.column("SELECT password_hash FROM accounts WHERE password_hash <> ''")
	for _, key := range []string{w.gone.SecretKey, w.gone.ClientKey} {
		sum := sha256.Sum256([]byte(key))
		all = append(all, hex.EncodeToString(sum[:]))
	}
	return all
}

// checkManifest compares the files of an archive with its manifest.
func checkManifest(t *testing.T, texts map[string][]byte) {
	t.Helper()
	var manifest struct {
		Complete bool
		Files    []struct {
			Name    string
			Records int
			Bytes   int
			SHA256  string
		}
		LeftOut []struct {
			From string
			What []string
		}
	}
	if err := json.Unmarshal(texts["manifest.json"], &manifest); err != nil {
		t.Fatal(err)
	}
	if !manifest.Complete || len(manifest.Files) != len(texts)-1 {
		t.Errorf("complete %t, %d files of %d", manifest.Complete, len(manifest.Files), len(texts)-1)
	}
	for _, f := range manifest.Files {
		text, sum := texts[f.Name], sha256.Sum256(texts[f.Name])
		if len(text) != f.Bytes || hex.EncodeToString(sum[:]) != f.SHA256 {
			t.Errorf("%s: %d bytes, want %d", f.Name, len(text), f.Bytes)
		}
		if strings.HasSuffix(f.Name, ".ndjson") && bytes.Count(text, []byte("\n")) != f.Records {
			t.Errorf("%s: %d lines, want %d", f.Name, bytes.Count(text, []byte("\n")), f.Records)
		}
	}
	for _, left := range manifest.LeftOut {
		if left.From == "api-keys" && slices.Contains(left.What, "hash") {
			return
		}
	}
	t.Errorf("nothing says that the hashes of keys are left out: %v", manifest.LeftOut)
}
