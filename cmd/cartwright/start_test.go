package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

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
		"products": 40, "product-variants": 60, "brands": 5, "categories": 5, "markets": 2, "market-prices": 4, "discounts": 5, "shipping-policies": 1, "provider-connections": 1, "media": 40,
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
	status, login := requestJSON(t, "POST", first.url+"/api/users/login", `{"email": "`+creds.AdminEmail+`", "password": "`+creds.AdminPassword+`"}`)
	if status != http.StatusOK || login["token"] == nil {
		t.Errorf("the login of the admin is answered with %d %v", status, login)
	}
	if err := first.stop(); err != nil {
		t.Fatal(err)
	}

	second := m.serve(t)
	if !strings.Contains(first.output, creds.AdminPassword) || strings.Contains(second.output, "password") || strings.Contains(second.output, creds.SecretKey) {
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
	nobody, err := testservers.FreeAddr()
	if err != nil {
		t.Fatal(err)
	}
	m := newCommandEnv(t).with("CARTWRIGHT_DATABASE_URL", "postgres://shop:hunter2@"+nobody+"/shop").with("CARTWRIGHT_DATABASE_WAIT", "1ms")
	_, err = m.command(t, "serve")
	if err == nil || !strings.Contains(err.Error(), "is it running") || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("got %v", err)
	}
}

func TestServerStartsWithoutRedis(t *testing.T) {
	t.Parallel()
	nobody, err := testservers.FreeAddr()
	if err != nil {
		t.Fatal(err)
	}
	m := newCommandEnv(t).with("CARTWRIGHT_REDIS_URL", "redis://"+nobody)
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

func TestShutdownFinishesAcceptedRequests(t *testing.T) {
	t.Parallel()
	c := testDefaults()
	c.Address, c.Data = "127.0.0.1:0", t.TempDir()
	s, err := build(t.Context(), c, time.Now, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()

	address := strings.TrimPrefix(s.BaseURL, "http://")
	idle, err := net.Dial("tcp", address) // an idle connection, as browsers open them in advance, must not delay the shutdown
	if err != nil {
		t.Fatal(err)
	}
	defer idle.Close()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	const body = `{"name": "Just in time"}`
	fmt.Fprintf(conn, "POST /api/brands HTTP/1.1\r\nHost: shop\r\nX-API-Key: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\nExpect: 100-continue\r\n\r\n", s.NewCredentials.SecretKey, len(body))
	answers := bufio.NewReader(conn)
	if line, err := answers.ReadString('\n'); err != nil || !strings.Contains(line, "100 Continue") {
		t.Fatalf("%q, %v", line, err)
	}
	stop() // the request is accepted, its body is still to come
	waitUntil(t, s.draining.Load)
	fmt.Fprint(conn, body)
	if _, err := answers.ReadString('\n'); err != nil { // the empty line after 100 Continue
		t.Fatal(err)
	}
	if line, err := answers.ReadString('\n'); err != nil || !strings.Contains(line, "201 Created") {
		t.Errorf("the accepted request was answered with %q, %v", line, err)
	}
	if err := errors.Join(<-ended, s.Close()); err != nil {
		t.Error(err)
	}
}

// patience is how long tests wait for something that must happen: long enough for the busiest machine, so that only a
// server that hangs exceeds it.
const patience = 3 * time.Minute

// waitUntil polls a condition until it is true.
func waitUntil(t *testing.T, condition func() bool) {
	t.Helper()
	ticker := time.NewTicker(2 * time.Millisecond)
	defer ticker.Stop()
	for end := time.Now().Add(patience); !condition(); <-ticker.C {
		if time.Now().After(end) {
			t.Fatalf("the condition is still false after %s", patience)
		}
	}
}

func TestTenantCreateWhileServerRuns(t *testing.T) {
	t.Parallel()
	m := newCommandEnv(t)
	s := m.serve(t)
	var created credentials
	if err := json.Unmarshal([]byte(m.must(t, "tenant", "create", "--name", "Corner Shop", "--plan", "basic", "--json")), &created); err != nil {
		t.Fatal(err)
	}
	if created.BaseURL != s.url {
		t.Errorf("the credentials of the new tenant name %s, the server is at %s", created.BaseURL, s.url)
	}
	_, policies := requestJSON(t, "GET", s.url+"/api/shipping-policies", "", "X-API-Key: "+created.TestSecretKey)
	_, accounts := requestJSON(t, "GET", s.url+"/api/provider-connections", "", "X-API-Key: "+created.TestSecretKey)
	if policies["totalDocs"] != 1.0 || accounts["totalDocs"] != 1.0 {
		t.Errorf("the new tenant has %v shipping policies and %v provider connections", policies["totalDocs"], accounts["totalDocs"])
	}
	if _, got := requestJSON(t, "GET", s.url+"/api/products/count", "", "X-API-Key: "+created.SecretKey); got["totalDocs"] != 0.0 {
		t.Errorf("the new tenant reads %v products of others", got["totalDocs"])
	}
	if _, err := m.command(t, "tenant", "create", "--name", "Corner Shop", "--json"); err == nil || !strings.Contains(err.Error(), "admin@corner-shop.example") {
		t.Errorf("a second tenant with the same admin: %v", err)
	}
	if _, err := m.command(t, "tenant", "create", "--name", "X", "--plan", "gold"); err == nil || !strings.Contains(err.Error(), "plan") {
		t.Errorf("an unknown plan: %v", err)
	}
}
