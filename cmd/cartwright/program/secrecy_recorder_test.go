package program

import (
	"bytes"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/payment/portone/portonefake"
	"github.com/cartwright-dev/cartwright/adapters/payment/stripe/stripefake"
	"github.com/cartwright-dev/cartwright/adapters/payment/toss/tossfake"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// recordings are recorded texts, each with a description of where it comes from. Safe for concurrent use.
type recordings struct {
	mu   sync.Mutex
	list [][2]string
}

func (n *recordings) add(about, text string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.list = append(n.list, [2]string{about, text})
}

// Write implements io.Writer for a log.
func (n *recordings) Write(line []byte) (int, error) {
	n.add("the log", string(line))
	return len(line), nil
}

func (n *recordings) each(fn func(about, text string)) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, note := range n.list {
		fn(note[0], note[1])
	}
}

// secretRecorder is a shop with an account at every provider, and records everything that leaves its server.
type secretRecorder struct {
	*testing.T

	server          *Server
	data            string            // the server's folder
	answers         recordings        // responses
	log             recordings        // at all levels
	sentToProviders recordings        // requests to providers, without credentials
	secrets         map[string]string // what must not be in any recording, by name
	accounts        map[string]string // connections by provider
	variant         string
	keys            int
	portone         *portonefake.PortOne
	toss            *tossfake.Toss
	admin           []string
	secret          []string
	client          []string
}

// echoProvider is a provider that repeats what it is sent, keys and all, in every field of its errors.
var echoProvider = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	echo := fmt.Sprintf("%s %s %s", r.Header.Get("Authorization"), r.URL, body)
	w.WriteHeader(http.StatusForbidden)
	_ = json.NewEncoder(w).Encode(map[string]any{
		"code": echo, "message": echo, "type": echo, "error": map[string]any{"code": echo, "message": echo, "type": echo},
	})
})

// echoingToss is the name of the account that echoProvider serves; echoSecret is its key.
const (
	echoingToss = "echoing toss"
	echoSecret  = "test_gsk_secret8f7a6b5c4d"
)

// echoTo is echoProvider for requests with one key, and h for all others.
func echoTo(secret string, h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if user, _, _ := r.BasicAuth(); user == secret {
			echoProvider(w, r)
			return
		}
		h.ServeHTTP(w, r)
	})
}

// provider serves h and records its requests without their credentials.
func (s *secretRecorder) provider(name string, h http.Handler) string {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		header := r.Header.Clone()
		header.Del("Authorization")
		s.sentToProviders.add(name, fmt.Sprintf("%s %s %v %s", r.Method, r.URL, header, body))
		h.ServeHTTP(w, r)
	}))
	s.Cleanup(server.Close)
	return server.URL
}

func newSecretRecorder(t *testing.T) *secretRecorder {
	t.Helper()
	s := &secretRecorder{T: t, secrets: map[string]string{}, accounts: map[string]string{}, portone: portonefake.New()}
	s.toss = tossfake.New(map[string]string{tossSecret: tossMID})
	stripe := stripefake.New()
	s.portone.Now, stripe.Now = time.Now(), time.Now() // the server's clock: pages end by both
	m := newCommandEnv(t).with("CARTWRIGHT_PORTONE_URL", s.provider("portone", s.portone)).
		with("CARTWRIGHT_STRIPE_URL", s.provider("stripe", stripe)).
		with("CARTWRIGHT_TOSS_URL", s.provider("toss", echoTo(echoSecret, s.toss))).
		with("CARTWRIGHT_LOG_LEVEL", "debug")
	c, err := m.config()
	if err != nil {
		t.Fatal(err)
	}
	s.data = c.Data
	s.server = startServer(t, c, time.Now, slog.New(slog.NewTextHandler(&s.log, &slog.HandlerOptions{Level: slog.LevelDebug})))
	creds := s.server.NewCredentials
	s.client, s.secret = []string{"X-Client-Key: " + creds.TestClientKey}, []string{"X-API-Key: " + creds.TestSecretKey}
	s.admin = []string{
		"Authorization: Bearer " + logInAs(t, s.server, "users", creds.AdminEmail, creds.AdminPassword), "X-Environment: test",
	}
	product := s.must("POST", "/products", object{"name": "Tea", "status": "published", "price": 1500, "stock": 100},
		s.secret...)["doc"].(object)["id"].(string)
	found := s.must("GET", "/product-variants?where[product][equals]="+product, nil, s.secret...)
	s.variant = found["docs"].([]any)[0].(object)["id"].(string)
	s.connect()
	return s
}

// connect creates a connection to every provider, and updates its secrets once.
func (s *secretRecorder) connect() {
	s.Helper()
	sandbox := s.must("GET", "/provider-connections?where[environment][equals]=test&where[provider][equals]=sandbox", nil, s.secret...)
	s.accounts["sandbox"] = sandbox["docs"].([]any)[0].(object)["id"].(string)
	for name, account := range map[string]struct {
		key         string
		credentials object
	}{
		"toss":      {tossMID, object{"clientKey": "test_gck_public", "secretKey": tossSecret}},
		echoingToss: {"mid-1", object{"clientKey": "test_gck_public", "secretKey": echoSecret}},
		"portone": {
			portonefake.Store, object{"apiSecret": portonefake.Secret, "channelKey": "channel-key-1", "profileKey": "profile-key-1"},
		},
		"stripe": {stripefake.Account, object{"secretKey": stripefake.Key}},
	} {
		for key, value := range account.credentials {
			if key == "secretKey" || key == "apiSecret" {
				s.secrets[name+"."+key] = value.(string)
			}
		}
		first, second := "whsec_Zmlyc3Rfb2Zf"+strings.ReplaceAll(name, " ", ""), "whsec_c2Vjb25kX29m"+strings.ReplaceAll(name, " ", "")
		s.secrets[name+".webhook 1"], s.secrets[name+".webhook 2"] = first, second
		created := s.must("POST", "/provider-connections", object{
			"name": name, "provider": strings.TrimPrefix(name, "echoing "), "accountKey": account.key, "environment": "test",
			"credentials":    account.credentials,
			"webhookSecrets": []string{first}, "enabledMethods": []string{"CARD_INTERNATIONAL", "PAY_PAL"},
		}, s.admin...)
		id := created["doc"].(object)["id"].(string)
		s.accounts[name] = id
		s.must("PATCH", "/provider-connections/"+id,
			object{"credentials": account.credentials, "webhookSecrets": []string{second, first}}, s.secret...)
	}
	for _, p := range (Config{}).descriptions() {
		if s.accounts[p.Name] == "" {
			s.Errorf("there is no account at %s: its leaks would go unnoticed", p.Name)
		}
	}
	s.addSealedSecrets()
}

// addSealedSecrets adds the sealed forms of the secrets, which must not leak either.
func (s *secretRecorder) addSealedSecrets() {
	s.Helper()
	page, err := s.server.store.Read(ports.Scope{System: true}).Find(s.Context(), collection.Query{
		Schema: payment.Connections, Limit: 100, Page: 1,
	})
	if err != nil {
		s.Fatal(err)
	}
	forms := 0
	for _, r := range page.Docs {
		all, _ := r["webhookSecrets"].([]string)
		if credentials, _ := r["credentials"].(string); credentials != "" {
			all = append(all, credentials)
		}
		for i, form := range all {
			s.secrets[fmt.Sprintf("sealed %s %d", r.Text("provider"), i)] = form
			forms++
		}
	}
	if forms < 8 {
		s.Fatalf("%d sealed forms are stored", forms)
	}
}

// request sends a request and records the response.
func (s *secretRecorder) request(method, path string, body any, headers ...string) (int, map[string]any) {
	s.Helper()
	text := []byte{}
	if raw, isRaw := body.(string); isRaw {
		text = []byte(raw)
	} else if body != nil {
		text, _ = json.Marshal(body) // plain values
	}
	req, err := http.NewRequestWithContext(s.Context(), method, s.server.BaseURL+"/api"+path, bytes.NewReader(text))
	if err != nil {
		s.Fatal(err)
	}
	if len(text) > 0 {
		req.Header.Set("Content-Type", "application/json")
	}
	s.keys++
	req.Header.Set("Idempotency-Key", fmt.Sprintf("ik_%032d", s.keys))
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Set(name, value)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		s.Fatal(err)
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		s.Fatal(err)
	}
	s.answers.add(fmt.Sprintf("%s %s → %d", method, path, res.StatusCode), fmt.Sprintf("%v %s", res.Header, raw))
	var out map[string]any
	_ = json.Unmarshal(raw, &out) // nil if the body is not an object
	return res.StatusCode, out
}

// must sends a request, and fails the test unless it succeeds.
func (s *secretRecorder) must(method, path string, body any, headers ...string) map[string]any {
	s.Helper()
	status, a := s.request(method, path, body, headers...)
	if status != http.StatusOK && status != http.StatusCreated {
		s.Fatalf("%s %s: %d %v", method, path, status, a)
	}
	return a
}

// files are the files of the server's database; the sandbox provider has a database of its own.
func (s *secretRecorder) files() map[string][]byte {
	s.Helper()
	names, err := filepath.Glob(filepath.Join(s.data, "cartwright.db*"))
	if err != nil || len(names) == 0 {
		s.Fatal(names, err)
	}
	all := map[string][]byte{}
	for _, name := range names {
		if all[name], err = os.ReadFile(name); err != nil {
			s.Fatal(err)
		}
	}
	return all
}

// search reports the words that text contains.
func search(t *testing.T, words map[string]string, about, text string) {
	t.Helper()
	for name, word := range words {
		if containsEncoded(text, word) {
			t.Errorf("%s contains %s: %.600s", about, name, text)
		}
	}
}

// containsEncoded reports whether text contains a word in any encoding that a request or response may use.
func containsEncoded(text, word string) bool {
	basic := base64.StdEncoding.EncodeToString([]byte(word + ":"))
	for _, form := range []string{word, basic, url.QueryEscape(word), strings.ReplaceAll(word, "/", `\/`)} {
		if strings.Contains(text, form) {
			return true
		}
	}
	return false
}

// allEvents are the texts of all events, as stored and as published.
func (s *secretRecorder) allEvents() (all []string) {
	s.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(s.data, "cartwright.db")+"?mode=ro")
	if err != nil {
		s.Fatal(err)
	}
	defer db.Close()
	rows, err := db.QueryContext(s.Context(), "SELECT "+table.EventText+" FROM events e")
	if err != nil {
		s.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var text []byte
		if err := rows.Scan(&text); err != nil {
			s.Fatal(err)
		}
		all = append(all, string(text)+"\n"+string(table.PublishedBody(text)))
	}
	if err := rows.Err(); err != nil || len(all) == 0 {
		s.Fatal(len(all), err)
	}
	return all
}
