package program

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers"
)

// The server's secret is replaced while payments go on; afterwards nothing needs the old one.
func TestRotateSecretsWhileServersRun(t *testing.T) {
	t.Parallel()
	for name, database := range map[string]func(t *testing.T) (driver, url string){
		"sqlite":   func(*testing.T) (string, string) { return "sqlite", "" },
		"postgres": func(t *testing.T) (string, string) { return "pgx", testservers.DurablePostgres(t) }, // doctor checks durability
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			driver, url := database(t)
			rotateSecrets(t, driver, url)
		})
	}
}

// rotateSecrets makes payments before, during and after the rotation of the server's secret.
func rotateSecrets(t *testing.T, driver, url string) {
	t.Helper()
	const first, second = "1:the first secret of thirty-two bytes", "2:the second secret of thirty-two bytes"
	m := newCommandEnv(t).with("CARTWRIGHT_DATABASE_URL", url).with("CARTWRIGHT_SECRETS", first)
	server := m.serve(t)
	keys, err := readCredentials(m.credentials())
	if err != nil {
		t.Fatal(err)
	}
	b := newBuyer(t, server.url, keys.TestSecretKey)
	b.buy()
	connection := `{"name": "Pages", "provider": "stripe", "accountKey": "acct_1", "environment": "test", "credentials": {"secretKey": "sk_test_1"}, "webhookSecrets": ["whsec_b25l", "whsec_dHdv"]}`
	if status, body := requestJSON(t, "POST", server.url+"/api/provider-connections", connection, b.key); status != 201 {
		t.Fatalf("%d %v", status, body)
	}
	if status, body := requestJSON(t, "POST", server.url+"/api/users/forgot-password", `{"email": "`+keys.AdminEmail+`"}`); status != 200 {
		t.Fatalf("%d %v", status, body)
	}
	waitUntil(t, func() bool { return strings.Contains(mailboxOf(t, server.url), "/console/reset?") }) // its mail has a sealed token, too
	if err := server.stop(); err != nil {
		t.Fatal(err)
	}

	m = m.with("CARTWRIGHT_SECRETS", first+","+second)
	server = m.serve(t)
	b.url = server.url
	b.buy() // with secrets that the first version sealed
	if out := m.must(t, "doctor"); !strings.Contains(out, "2 of 2 provider connections are encrypted with an older secret") {
		t.Errorf("doctor prints\n%s", out)
	}
	out := m.must(t, "secrets", "rotate")
	for _, want := range []string{
		"2 of 2 provider connections re-encrypted", "Version 2 is the newest", "Version 1 no longer encrypts any connection",
		"idempotency receipts contain tokens derived from it", "1 email tokens are encrypted with it until 20",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("secrets rotate does not print %q:\n%s", want, out)
		}
	}
	if out := m.must(t, "secrets", "rotate"); !strings.Contains(out, "0 of 2") {
		t.Errorf("the second secrets rotate prints\n%s", out)
	}
	b.buy()
	if err := server.stop(); err != nil {
		t.Fatal(err)
	}
	checkSealedWith(t, driver, url, m.env["CARTWRIGHT_DATA"])

	m = m.with("CARTWRIGHT_SECRETS", second)
	if out := m.must(t, "doctor"); !strings.Contains(out, "2 provider connections, all encrypted with the newest secret") {
		t.Errorf("doctor prints\n%s", out)
	}
	b.url = m.serve(t).url
	b.buy()

	m = m.with("CARTWRIGHT_SECRETS", "3:a secret that nothing was ever sealed with")
	if out, err := m.command(t, "doctor"); err == nil || !strings.Contains(out, "cannot be read") {
		t.Errorf("doctor prints %v\n%s", err, out)
	}
	if out, err := m.command(t, "secrets", "rotate"); err == nil || strings.Count(out, "enter them again") != 2 {
		t.Errorf("secrets rotate without the old secret prints %v\n%s", err, out)
	}
}

// checkSealedWith checks that the records are sealed with the second secret, and that no event contains sealed values.
func checkSealedWith(t *testing.T, driver, url, data string) {
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
		err := db.QueryRowContext(t.Context(),
			`SELECT count(*) FILTER (WHERE CAST(doc AS text) LIKE '%"v1:%'), count(*) FILTER (WHERE CAST(doc AS text) LIKE '%"v2:%') FROM `+
				table).Scan(&old, &fresh)
		if err != nil || old != 0 || fresh != want {
			t.Errorf("%s: %d with the first secret, %d with the second, %v", table, old, fresh, err)
		}
	}
}
