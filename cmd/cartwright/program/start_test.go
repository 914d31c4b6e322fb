package program

import (
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers"
)

func TestFirstStartCreatesDemoShopOnce(t *testing.T) {
	t.Parallel()
	m := newCommandEnv(t)
	first := m.serve(t)
	creds, err := readCredentials(m.credentials())
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(m.credentials())
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("credentials have mode %v, %v", info.Mode(), err)
	}
	if creds.BaseURL != first.url {
		t.Errorf("credentials name %s, the server is at %s", creds.BaseURL, first.url)
	}
	secret := "X-API-Key: " + creds.SecretKey
	counts := map[string]float64{}
	for slug, least := range map[string]float64{
		"products": 40, "product-variants": 60, "brands": 5, "categories": 5, "markets": 2, "market-prices": 4, "discounts": 5,
		"shipping-policies": 1, "provider-connections": 1, "media": 40,
	} {
		_, got := requestJSON(t, "GET", first.url+"/api/"+slug+"/count", "", secret)
		if counts[slug], _ = got["totalDocs"].(float64); counts[slug] < least {
			t.Errorf("the demo has %v %s", got["totalDocs"], slug)
		}
	}
	status, brand := requestJSON(t, "POST", first.url+"/api/brands", `{"name": "Made by hand"}`, secret)
	if status != http.StatusCreated {
		t.Fatalf("%d %v", status, brand)
	}
	status, login := requestJSON(t, "POST", first.url+"/api/users/login",
		`{"email": "`+creds.AdminEmail+`", "password": "`+creds.AdminPassword+`"}`)
	if status != http.StatusOK || login["token"] == nil {
		t.Errorf("the login of the admin is answered with %d %v", status, login)
	}
	if err := first.stop(); err != nil {
		t.Fatal(err)
	}

	second := m.serve(t)
	if !strings.Contains(first.output, creds.AdminPassword) || strings.Contains(second.output, "password") ||
		strings.Contains(second.output, creds.SecretKey) {
		t.Errorf("only the first start may print secrets:\n%s\n%s", first.output, second.output)
	}
	counts["brands"]++
	for slug, want := range counts {
		if _, got := requestJSON(t, "GET", second.url+"/api/"+slug+"/count", "", secret); got["totalDocs"] != want {
			t.Errorf("the second start has %v %s, want %v", got["totalDocs"], slug, want)
		}
	}
	again, err := readCredentials(m.credentials())
	creds.BaseURL = second.url
	if err != nil || again != creds {
		t.Errorf("credentials changed: %v", err)
	}
}

func TestFailedStartExplainsWhy(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = taken.Close() })
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ variable, value, problem string }{
		"a port in use":                        {"CARTWRIGHT_ADDR", taken.Addr().String(), "is already in use"},
		"an address of another machine":        {"CARTWRIGHT_ADDR", "192.0.2.1:80", "cannot listen on"},
		"a data folder that cannot be created": {"CARTWRIGHT_DATA", filepath.Join(file, "data"), "cannot be written"},
		"a database with an unknown scheme":    {"CARTWRIGHT_DATABASE_URL", "sqlite:///tmp/x", "CARTWRIGHT_DATABASE_URL"},
		"a failpoint with an invalid count":    {"CARTWRIGHT_FAILPOINT", "confirm.sent:many", "CARTWRIGHT_FAILPOINT"},
		"a sandbox URL without a scheme":       {"CARTWRIGHT_SANDBOX_URL", "localhost", "CARTWRIGHT_SANDBOX_URL"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := newCommandEnv(t).with(c.variable, c.value).command(t, "serve")
			if err == nil || !strings.Contains(err.Error(), c.problem) {
				t.Errorf("got %v, want …%s…", err, c.problem)
			}
		})
	}
}

func TestStartFailsWhenDatabaseIsDown(t *testing.T) {
	t.Parallel()
	unused, err := testservers.FreeAddr()
	if err != nil {
		t.Fatal(err)
	}
	m := newCommandEnv(t).with("CARTWRIGHT_DATABASE_URL", "postgres://shop:hunter2@"+unused+"/shop").with("CARTWRIGHT_DATABASE_WAIT", "1ms")
	_, err = m.command(t, "serve")
	if err == nil || !strings.Contains(err.Error(), "is it running") || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("got %v", err)
	}
}

func TestServerStartsWithoutRedis(t *testing.T) {
	t.Parallel()
	unused, err := testservers.FreeAddr()
	if err != nil {
		t.Fatal(err)
	}
	m := newCommandEnv(t).with("CARTWRIGHT_REDIS_URL", "redis://"+unused)
	s := m.serve(t)
	creds, err := readCredentials(m.credentials())
	if err != nil {
		t.Fatal(err)
	}
	key := "Idempotency-Key: ik_0123456789abcdefghijABCDEFGHIJ01"
	status, first := requestJSON(t, "POST", s.url+"/api/commerce/carts", `{}`, "X-Client-Key: "+creds.ClientKey, key)
	if status != http.StatusCreated {
		t.Fatalf("%d %v", status, first)
	}
	_, again := requestJSON(t, "POST", s.url+"/api/commerce/carts", `{}`, "X-Client-Key: "+creds.ClientKey, key)
	if first["cartToken"] != again["cartToken"] {
		t.Error("a repeated request created another cart")
	}
}
