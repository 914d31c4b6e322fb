package program

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers"
)

// shopSnapshot is what a shop had acknowledged before its backup began.
type shopSnapshot struct {
	*shopperLoad

	carts   map[string]int // units at least
	brands  []string
	key     string // of a change
	body    string
	answer  []byte
	order   string
	money   string // output of doctor --money
	picture string // path of an uploaded file
	pixels  []byte
}

// snapshotShop sells, writes and uploads in a shop, and records what was acknowledged. The shoppers continue
// meanwhile.
func snapshotShop(t *testing.T, f *shopperLoad, m commandEnv) shopSnapshot {
	t.Helper()
	k := shopSnapshot{shopperLoad: f, key: "ik_" + rand.Text() + "abcdef"}
	f.start()
	f.waitForRequests(60)
	k.order = k.sellFromDraft()
	k.picture, k.pixels = k.upload()
	k.body = fmt.Sprintf(`{"items": [{"variantId": %q, "quantity": 3}]}`, f.variant)
	k.answer = k.repeat(f.base, k.key, k.body, false)
	k.money = m.must(t, "doctor", "--money")
	f.mu.Lock()
	defer f.mu.Unlock()
	k.carts = maps.Clone(f.added)
	for name := range f.brands {
		k.brands = append(k.brands, name)
	}
	return k
}

func (k shopSnapshot) must(method, path, body string) map[string]any {
	k.t.Helper()
	out, err := k.call(k.t.Context(), method, path, body)
	if err != nil {
		k.t.Fatal(err)
	}
	return out
}

// sellFromDraft creates an order from a draft and marks it as paid.
func (k shopSnapshot) sellFromDraft() string {
	k.t.Helper()
	draft := textAt(k.must("POST", "/api/draft-orders",
		fmt.Sprintf(`{"lines": [{"variant": %q, "quantity": 2}], "customerSnapshot": {"name": "Lee Minji", "email": "minji@example.com"},
		"shippingAddress": {"recipientName": "Lee Minji", "postalCode": "06236", "address1": "152 Teheran-ro"}}`, k.variant)), "doc", "id")
	order := textAt(k.must("POST", "/api/draft-orders/"+draft+"/finalize", "{}"), "order", "id")
	k.must("POST", "/api/orders/"+order+"/transitions", `{"to": "paid"}`)
	return order
}

func (k shopSnapshot) upload() (path string, pixels []byte) {
	k.t.Helper()
	pixels, err := base64.StdEncoding.DecodeString(
		"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
	if err != nil {
		k.t.Fatal(err)
	}
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("file", "pixel.png")
	if err == nil {
		_, err = part.Write(pixels)
	}
	if err != nil || form.Close() != nil {
		k.t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(k.t.Context(), http.MethodPost, k.base+"/api/media", &body)
	if err != nil {
		k.t.Fatal(err)
	}
	req.Header.Set("X-API-Key", k.secret)
	req.Header.Set("Content-Type", form.FormDataContentType())
	res, err := k.client.Do(req)
	if err != nil {
		k.t.Fatal(err)
	}
	defer res.Body.Close()
	var created map[string]any
	if err := json.NewDecoder(res.Body).Decode(&created); err != nil || res.StatusCode != http.StatusCreated {
		k.t.Fatalf("%d %v %v", res.StatusCode, created, err)
	}
	return textAt(created, "doc", "url"), pixels
}

// repeat creates a cart under a key, and reports whether the answer was replayed.
func (k shopSnapshot) repeat(base, key, body string, before bool) []byte {
	k.t.Helper()
	a := sendRequest(k.t, "POST", base+"/api/server/commerce/carts", body, "X-API-Key: "+k.secret, "Idempotency-Key: "+key)
	if a.status != http.StatusCreated || a.replayed != before {
		k.t.Fatalf("%d, replayed %t: %s", a.status, a.replayed, a.body)
	}
	return []byte(a.body)
}

// checkRestored checks everything in a restored shop. Late is the idempotency key of a change made after the backup.
func (k shopSnapshot) checkRestored(base, late string) {
	k.t.Helper()
	k.base = base
	for cart, least := range k.carts {
		shown := k.must("GET", "/api/server/commerce/carts/"+cart, "")["cart"].(map[string]any)
		if n := shown["lines"].([]any)[0].(map[string]any)["quantity"].(float64); n < float64(least) || n > float64(k.added[cart]) {
			k.t.Errorf("a cart holds %v units: %d were acknowledged before the backup began, %d in the end", n, least, k.added[cart])
		}
	}
	for _, name := range k.brands {
		if got := k.must("GET", "/api/brands/count?where[name][equals]="+url.QueryEscape(name), ""); got["totalDocs"] != 1.0 {
			k.t.Errorf("the restored shop has brand %s %v times", name, got["totalDocs"])
		}
	}
	if order := k.must("GET", "/api/orders/"+k.order, ""); order["status"] != "paid" {
		k.t.Errorf("the restored order is %v", order)
	}
	if again := k.repeat(base, k.key, k.body, true); !bytes.Equal(again, k.answer) {
		k.t.Errorf("the replayed answer of a change before the backup is\n%s\nwant\n%s", again, k.answer)
	}
	k.repeat(base, late, k.body, false) // the backup has neither the change nor its receipt: it is made again
	res, err := http.Get(base + k.picture)
	if err != nil {
		k.t.Fatal(err)
	}
	defer res.Body.Close()
	if got, err := io.ReadAll(res.Body); err != nil || !bytes.Equal(got, k.pixels) {
		k.t.Errorf("the restored picture has %d bytes, %v", len(got), err)
	}
}

// checkDoctor runs doctor and doctor --money on a restored shop.
func (k shopSnapshot) checkDoctor(m commandEnv) {
	k.t.Helper()
	if out := m.must(k.t, "doctor"); strings.Contains(out, "FAILED") {
		k.t.Error(out)
	}
	if money := m.must(k.t, "doctor", "--money"); money != k.money {
		k.t.Errorf("doctor --money prints\n%s\nbefore the backup\n%s", money, k.money)
	}
}

// loadFromCredentials are shoppers of the server whose credentials are in dir.
func loadFromCredentials(t *testing.T, base, dir string) *shopperLoad {
	t.Helper()
	creds, err := readCredentials(filepath.Join(dir, credentialsFile))
	if err != nil {
		t.Fatal(err)
	}
	return newShopperLoad(t, base, creds.SecretKey)
}

func TestBackupOfLiveServerRestores(t *testing.T) {
	t.Parallel()
	m := newCommandEnv(t).with(unlimitedBurst, "0")
	s := m.serve(t)
	f := loadFromCredentials(t, s.url, m.env["CARTWRIGHT_DATA"])
	k := snapshotShop(t, f, m)
	file := filepath.Join(t.TempDir(), "shop.tar.gz")
	f.waitForRequests(1) // the backup runs under load
	m.must(t, "backup", file)
	f.waitForRequests(20)
	late := "ik_" + rand.Text() + "abcdef"
	k.repeat(f.base, late, k.body, false)
	f.stop()
	f.done.Wait()

	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the backup has mode %v, %v", info.Mode(), err)
	}
	if _, err := m.command(t, "backup", file); err == nil || !strings.Contains(err.Error(), "already exists") {
		t.Errorf("overwriting a backup: %v", err)
	}
	if _, err := m.command(t, "restore", file); err == nil || !strings.Contains(err.Error(), "is not empty") {
		t.Errorf("overwriting a store: %v", err)
	}
	restored := newCommandEnv(t)
	restored.must(t, "restore", file)
	k.checkDoctor(restored)
	again := restored.serve(t)
	k.checkRestored(again.url, late)
}

func TestRestoreRejectsDamagedBackup(t *testing.T) {
	t.Parallel()
	m := newCommandEnv(t)
	m.must(t, "demo")
	file := filepath.Join(t.TempDir(), "shop.tar.gz")
	m.must(t, "backup", file)
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	content, err := unzipped(whole)
	if err != nil {
		t.Fatal(err)
	}
	flipped := func(at int) []byte {
		for ; ; at-- { // a bit that matters: where a repetition of zeros begins, for one, changes nothing
			text := bytes.Clone(whole)
			text[at] ^= 0x40
			if got, err := unzipped(text); err != nil || !bytes.Equal(got, content) {
				return text
			}
		}
	}
	const trailer = 8 // of gzip: the checksum and the length of what was compressed
	for name, text := range map[string][]byte{
		"cut off": whole[:len(whole)*2/3], "no archive": []byte("shop"),
		"cut off before its checksum": whole[:len(whole)-trailer],
		"changed in the middle":       flipped(len(whole) / 2),
		"changed near the end":        flipped(len(whole) - 100),
		"with another checksum":       flipped(len(whole) - trailer),
	} {
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		into := newCommandEnv(t)
		if out, err := into.command(t, "restore", file); err == nil {
			t.Errorf("a backup %s is restored: %s", name, out)
		}
		if _, err := os.Stat(filepath.Join(into.env["CARTWRIGHT_DATA"], storeFile)); err == nil {
			t.Errorf("a backup %s created a store", name)
		}
	}
}

func unzipped(text []byte) ([]byte, error) {
	from, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(from)
}

func TestBackupRequiresEmbeddedDatabase(t *testing.T) {
	t.Parallel()
	m := newCommandEnv(t).with("CARTWRIGHT_DATABASE_URL", "postgres://shop@127.0.0.1:1/shop")
	for _, command := range []string{"backup", "restore"} {
		if _, err := m.command(t, command, filepath.Join(t.TempDir(), "x")); err == nil || !strings.Contains(err.Error(), "pg_dump") {
			t.Errorf("%s: %v", command, err)
		}
	}
	if _, err := newCommandEnv(t).command(t, "backup", filepath.Join(t.TempDir(), "x")); err == nil ||
		!strings.Contains(err.Error(), "nothing to back up") {
		t.Errorf("backing up an empty folder: %v", err)
	}
}

// pgTool runs a client program of Postgres.
func pgTool(t *testing.T, name string, args ...string) {
	t.Helper()
	path, err := testservers.FindTool(name)
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), path, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
}

// The procedure of OPERATIONS.md for Postgres: pg_dump while servers write, and pg_restore into a new Postgres
// server, with another Redis and the same secrets and files.
func TestPostgresDumpOfLiveServerRestores(t *testing.T) {
	t.Parallel()
	source := migratedDB.Postgres(t)
	m := newCommandEnv(t).with("CARTWRIGHT_DATABASE_URL", source).with("CARTWRIGHT_REDIS_URL", testservers.Redis(t)).with(unlimitedBurst, "0")
	s := m.serve(t)
	f := loadFromCredentials(t, s.url, m.env["CARTWRIGHT_DATA"])
	k := snapshotShop(t, f, m)
	file := filepath.Join(t.TempDir(), "shop.dump")
	pgTool(t, "pg_dump", "--format=custom", "--file="+file, source)
	f.waitForRequests(20)
	late := "ik_" + rand.Text() + "abcdef"
	k.repeat(f.base, late, k.body, false)
	f.stop()
	f.done.Wait()
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}

	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	fresh, err := testservers.StartPostgres(ctx)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := fresh.Stop(); err != nil {
			t.Error(err)
		}
	})
	pgTool(t, "psql", "--quiet", "--dbname="+fresh.URL, "--command=CREATE ROLE cartwright_app NOLOGIN",
		"--command=CREATE ROLE cartwright_system NOLOGIN")
	pgTool(t, "pg_restore", "--no-owner", "--exit-on-error", "--single-transaction", "--dbname="+fresh.URL, file)
	restored := m.with("CARTWRIGHT_DATABASE_URL", fresh.URL).with("CARTWRIGHT_REDIS_URL", testservers.Redis(t))
	k.checkDoctor(restored)
	again := restored.serve(t)
	k.checkRestored(again.url, late)
}
