package main

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers"
)

// The server's secret is replaced while payments go on, and the old one is of no use any more.
func TestRotateSecretsWhileServersRun(t *testing.T) {
	t.Parallel()
	const first, second = "1:the first secret of thirty-two bytes", "2:the second secret of thirty-two bytes"
	for name, database := range map[string]func(t *testing.T) (driver, url string){
		"sqlite":   func(*testing.T) (string, string) { return "sqlite", "" },
		"postgres": func(t *testing.T) (string, string) { return "pgx", testservers.DurablePostgres(t) }, // the doctor asks
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			driver, url := database(t)
			m := newCommandEnv(t).with("CARTWRIGHT_DATABASE_URL", url).with("CARTWRIGHT_SECRETS", first)
			server := m.serve(t)
			keys, err := readCredentials(m.credentials())
			if err != nil {
				t.Fatal(err)
			}
			b := newBuyer(t, server.url, keys.TestSecretKey)
			b.buy()
			connection := `{"name": "Pages", "provider": "stripe", "accountKey": "acct_1", "environment": "test", "credentials": {"secretKey": "sk_test_1"}, "webhookSecrets": ["whsec_b25l", "whsec_dHdv"]}`
			if status, made := ask(t, "POST", server.url+"/api/provider-connections", connection, b.key); status != 201 {
				t.Fatalf("%d %v", status, made)
			}
			if status, said := ask(t, "POST", server.url+"/api/users/forgot-password", `{"email": "`+keys.AdminEmail+`"}`); status != 200 {
				t.Fatalf("%d %v", status, said)
			}
			if err := server.stop(); err != nil {
				t.Fatal(err)
			}

			m = m.with("CARTWRIGHT_SECRETS", first+","+second)
			server = m.serve(t)
			b.url = server.url
			b.buy() // what is sealed with the first is good
			if out := m.must(t, "doctor"); !strings.Contains(out, "2 of 2 provider connections are encrypted with an older secret") {
				t.Errorf("doctor says\n%s", out)
			}
			out := m.must(t, "secrets", "rotate")
			for _, want := range []string{"2 of 2 provider connections re-encrypted", "Version 2 is the newest", "Version 1 no longer encrypts any connection", "idempotency receipts contain tokens derived from it", "1 email tokens are encrypted with it until 20"} {
				if !strings.Contains(out, want) {
					t.Errorf("nothing says %q:\n%s", want, out)
				}
			}
			if out := m.must(t, "secrets", "rotate"); !strings.Contains(out, "0 of 2") {
				t.Errorf("the second time says\n%s", out)
			}
			b.buy()
			if err := server.stop(); err != nil {
				t.Fatal(err)
			}
			findSealedWith(t, driver, url, m.env["CARTWRIGHT_DATA"])

			m = m.with("CARTWRIGHT_SECRETS", second)
			if out := m.must(t, "doctor"); !strings.Contains(out, "2 provider connections, all encrypted with the newest secret") {
				t.Errorf("doctor says\n%s", out)
			}
			b.url = m.serve(t).url
			b.buy()

			m = m.with("CARTWRIGHT_SECRETS", "3:a secret that nothing was ever sealed with")
			if out, err := m.command(t, "doctor"); err == nil || !strings.Contains(out, "cannot be read") {
				t.Errorf("doctor says %v\n%s", err, out)
			}
			if out, err := m.command(t, "secrets", "rotate"); err == nil || strings.Count(out, "enter them again") != 2 {
				t.Errorf("rotating what cannot be read says %v\n%s", err, out)
			}
		})
	}
}

// findSealedWith looks for what the first secret sealed, in the records and in all that is told of them.
func findSealedWith(t *testing.T, driver, url, data string) {
	t.Helper()
	if driver == "sqlite" {
		url = "file:" + filepath.Join(data, "cartwright.db")
	}
	db, err := sql.Open(driver, url)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for table, want := range map[string]int{"provider_connections": 2, "events": 0} {
		var old, fresh int
		err := db.QueryRowContext(t.Context(), `SELECT count(*) FILTER (WHERE CAST(doc AS text) LIKE '%"v1:%'), count(*) FILTER (WHERE CAST(doc AS text) LIKE '%"v2:%') FROM `+table).Scan(&old, &fresh)
		if err != nil || old != 0 || fresh != want {
			t.Errorf("%s: %d with the first secret, %d with the second, %v", table, old, fresh, err)
		}
	}
}
