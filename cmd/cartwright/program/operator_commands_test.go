package program

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// withRunningServer runs a test of commands while a server runs, on SQLite and on Postgres.
func withRunningServer(t *testing.T, test func(t *testing.T, m commandEnv, s *runningServer)) {
	for name, prepared := range map[string]func(*testing.T, commandEnv) commandEnv{
		"SQLite": func(_ *testing.T, m commandEnv) commandEnv { return m },
		"Postgres": func(t *testing.T, m commandEnv) commandEnv {
			return m.with("CARTWRIGHT_DATABASE_URL", migratedDB.Postgres(t))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := prepared(t, newCommandEnv(t))
			test(t, m, m.serve(t))
		})
	}
}

// logIn is the authorization header after a login, and the status of the login.
func logIn(t *testing.T, s *runningServer, email, password string) (header string, status int) {
	t.Helper()
	body, _ := json.Marshal(map[string]string{"email": email, "password": password})
	status, got := requestJSON(t, "POST", s.url+"/api/users/login", string(body))
	token, _ := got["token"].(string)
	return "Authorization: Bearer " + token, status
}

// compareOutput reports a difference between the outputs of a command and of the API.
func compareOutput(t *testing.T, what string, command, api any) {
	t.Helper()
	if !reflect.DeepEqual(command, api) {
		t.Errorf("%s: the command prints\n%v\nand the API returns\n%v", what, command, api)
	}
}

func TestOperatorCommandsWhileServerRuns(t *testing.T) {
	t.Parallel()
	withRunningServer(t, func(t *testing.T, m commandEnv, s *runningServer) {
		created := m.runJSON(t, "tenant", "create", "--name", "Corner Shop", "--currency", "usd")
		id := created["tenantId"].(string)
		admin, status := logIn(t, s, created["adminEmail"].(string), created["adminPassword"].(string))
		if status != http.StatusOK {
			t.Fatalf("the login of the new admin is answered with %d", status)
		}

		if m.runJSON(t, "tenant", "plan", "pro", "--tenant", "corner-shop")["doc"].(map[string]any)["plan"] != "pro" {
			t.Error("the command does not show the new plan")
		}
		_, record := requestJSON(t, "GET", s.url+"/api/tenants/"+id, "", admin)
		compareOutput(t, "the tenant", m.runJSON(t, "tenant", "show", "--tenant", "Corner Shop"), record)
		if record["plan"] != "pro" || record["currency"] != "USD" {
			t.Errorf("the server returns %v", record)
		}
		if list := m.runJSON(t, "tenant", "list", "--plan", "pro"); list["totalDocs"] != 1.0 ||
			!reflect.DeepEqual(list["docs"].([]any)[0], record) {
			t.Errorf("the list of pro tenants is %v", list)
		}
		if list := m.runJSON(t, "tenant", "list", "--limit", "1"); list["totalDocs"] != 2.0 || len(list["docs"].([]any)) != 1 ||
			list["hasNextPage"] != true {
			t.Errorf("the first page is %v", list)
		}
		checkKeyCommands(t, m, s, id, admin)
		checkUserCommands(t, m, s, id, admin)
	})
}

func checkKeyCommands(t *testing.T, m commandEnv, s *runningServer, id, admin string) {
	t.Helper()
	key := m.runJSON(t, "key", "create", "--tenant", id, "--name", "Warehouse", "--scopes", "read")
	statusWith := func(key any) int {
		status, _ := requestJSON(t, "GET", s.url+"/api/products/count", "", fmt.Sprint("X-API-Key: ", key))
		return status
	}
	if statusWith(key["key"]) != http.StatusOK {
		t.Error("the new key is unknown to the server")
	}
	_, list := requestJSON(t, "GET", s.url+"/api/api-keys?sort=createdAt&limit=100", "", admin)
	compareOutput(t, "the keys", m.runJSON(t, "key", "list", "--tenant", id), list)

	rotated := m.runJSON(t, "key", "rotate", key["id"].(string), "--tenant", id, "--yes")
	waitUntil(t, func() bool { return statusWith(key["key"]) == http.StatusUnauthorized })
	if statusWith(rotated["key"]) != http.StatusOK {
		t.Error("the rotated key is unknown to the server")
	}
	if done := m.runJSON(t, "key", "revoke", key["id"].(string), "--tenant", id, "--yes"); done["doc"].(map[string]any)["revokedAt"] == nil {
		t.Errorf("revoked: %v", done)
	}
	waitUntil(t, func() bool { return statusWith(rotated["key"]) == http.StatusUnauthorized })
	if _, stderr, code := m.runProcess(t, "key", "revoke", key["id"].(string), "--yes"); code != exitFailed ||
		!strings.Contains(stderr, "this tenant has no API key") {
		t.Errorf("revoking a key of another tenant: %d %s", code, stderr)
	}
}

func checkUserCommands(t *testing.T, m commandEnv, s *runningServer, id, admin string) {
	t.Helper()
	const email = "kim@shop.example"
	created := m.runJSON(t, "user", "create", "--tenant", id, "--email", "Kim@Shop.example", "--name", "Kim Jiwoo")
	_, list := requestJSON(t, "GET", s.url+"/api/users?sort=createdAt&limit=100", "", admin)
	compareOutput(t, "the users", m.runJSON(t, "user", "list", "--tenant", id), list)
	kim := list["docs"].([]any)[1].(map[string]any)
	compareOutput(t, "the new user", created["doc"], kim)
	if _, status := logIn(t, s, email, created["password"].(string)); status != http.StatusOK {
		t.Errorf("the login of the new user is answered with %d", status)
	}
	if m.runJSON(t, "user", "role", email, "tenant-admin", "--tenant", id)["doc"].(map[string]any)["role"] != "tenant-admin" {
		t.Error("the command does not show the new role")
	}
	fresh := m.runJSON(t, "user", "password", email)
	token, status := logIn(t, s, email, fresh["password"].(string))
	if _, oldStatus := logIn(t, s, email, created["password"].(string)); status != http.StatusOK || oldStatus != http.StatusUnauthorized {
		t.Errorf("logins with the new and the old password are answered with %d and %d", status, oldStatus)
	}
	if status, _ := requestJSON(t, "GET", s.url+"/api/api-keys", "", token); status != http.StatusOK {
		t.Errorf("an admin's list of keys is answered with %d", status)
	}
	asked := m.runJSON(t, "user", "create", "--email", email)
	if asked["invited"] != true || asked["password"] != nil {
		t.Errorf("a person who is known is invited: %v", asked)
	}
	accept := s.url + "/api/invitations/" + asked["invitationToken"].(string) + "/accept"
	if status, _ := requestJSON(t, "POST", accept, "", token); status != http.StatusOK {
		t.Errorf("the invitation that the command printed is answered with %d", status)
	}
	if unknown := m.runJSON(t, "user", "create", "--email", "nobody@shop.example", "--invite"); unknown["invited"] != true {
		t.Errorf("a person who is not known can be invited: %v", unknown)
	}
	reset, _ := json.Marshal(map[string]any{"token": m.runJSON(t, "user", "token", email)["token"], "password": "a third horse"})
	if status, _ := requestJSON(t, "POST", s.url+"/api/users/reset-password", string(reset)); status != http.StatusOK {
		t.Errorf("the token that the command printed is answered with %d", status)
	}
	token, _ = logIn(t, s, email, "a third horse")
	m.runJSON(t, "user", "remove", email, "--tenant", id, "--yes")
	waitUntil(t, func() bool {
		status, _ := requestJSON(t, "GET", s.url+"/api/users", "", token, "X-Tenant-Id: "+id)
		return status != http.StatusOK
	})
	if _, status := logIn(t, s, email, "a third horse"); status != http.StatusOK {
		t.Errorf("the login of a user of another tenant is answered with %d", status)
	}
}

func TestImportAndExportWhileServerRuns(t *testing.T) {
	t.Parallel()
	withRunningServer(t, func(t *testing.T, m commandEnv, s *runningServer) {
		created := m.runJSON(t, "tenant", "create", "--name", "Import", "--currency", "KRW")
		report := m.runJSON(t, "import", "--tenant", "import", shopFile)["files"].([]any)[0].(map[string]any)
		want := map[string]any{"file": shopFile, "created": 2.0, "updated": 0.0, "unchanged": 0.0, "stockKept": 0.0, "errors": []any{map[string]any{
			"row": 2.0, "handle": "river-mug",
			"message": "The price 18.50 has more fraction digits than KRW allows (0). If the file is in another currency, set the currency and the rate.",
		}}}
		compareOutput(t, "the report", report, any(want))
		if _, got := requestJSON(t, "GET", s.url+"/api/products/count", "", "X-API-Key: "+created["secretKey"].(string)); got["totalDocs"] != 2.0 {
			t.Errorf("the server counts %v products", got)
		}
		file := filepath.Join(t.TempDir(), "catalog.csv")
		if out, stderr, code := m.runProcess(t, "export", "--tenant", "import", "--output", file); code != 0 || out != "" {
			t.Errorf("%d %s %s", code, out, stderr)
		}
		if text, err := os.ReadFile(file); err != nil || strings.Count(string(text), "\n") < 3 {
			t.Errorf("%q %v", text, err)
		}
		if out, stderr, code := m.runProcess(t, "import", "--tenant", "import", "--strict", "--json", file, "nowhere.csv"); code != exitFailed ||
			!strings.Contains(stderr, "nowhere.csv") || !json.Valid([]byte(out)) || !strings.Contains(out, `"unchanged": 2`) {
			t.Errorf("a missing file after an existing one: %d %s %s", code, out, stderr)
		}
		if out := m.runJSON(t, "migrate"); len(out["steps"].([]any)) != 0 {
			t.Errorf("a migrated database has remaining steps: %v", out)
		}
		if again := m.runJSON(t, "demo"); again["founded"] != false || again["credentials"] != nil {
			t.Errorf("a second demo shop: %v", again)
		}
	})
}

func TestEventAndReplayCommands(t *testing.T) {
	t.Parallel()
	withRunningServer(t, func(t *testing.T, m commandEnv, s *runningServer) {
		created := m.runJSON(t, "tenant", "create", "--name", "Corner Shop", "--plan", "pro")
		admin, _ := logIn(t, s, created["adminEmail"].(string), created["adminPassword"].(string))
		log := func() (all map[string]any) {
			_, all = requestJSON(t, "GET", s.url+"/api/events?limit=100&collection=tenants,users", "", admin)
			return all
		}
		waitUntil(t, func() bool { return len(log()["docs"].([]any)) == 2 })
		before := log()["nextAfter"].(float64)
		followed := make(chan string, 1)
		go func() {
			out, _, _ := m.runProcess(t, "events", "tail", "--tenant", "corner-shop", "--collection", "tenants", "--after",
				fmt.Sprint(before), "--count", "1")
			followed <- out
		}()
		m.runJSON(t, "tenant", "plan", "enterprise", "--tenant", "corner-shop")
		var seen map[string]any
		if line := <-followed; json.Unmarshal([]byte(line), &seen) != nil || seen["operation"] != "update" ||
			!reflect.DeepEqual(seen["data"], map[string]any{"plan": "enterprise"}) {
			t.Errorf("events tail prints %s", line)
		}
		compareOutput(t, "the log", m.runJSON(t, "events", "list", "--tenant", "corner-shop", "--collection", "tenants,users"), log())
		if docs := log()["docs"].([]any); !reflect.DeepEqual(docs[len(docs)-1], any(seen)) {
			t.Errorf("the last event is %v", docs[len(docs)-1])
		}
		checkWebhookCommands(t, m, s, admin)
	})
}

func checkWebhookCommands(t *testing.T, m commandEnv, s *runningServer, admin string) {
	t.Helper()
	created := m.runJSON(t, "webhooks", "create", "--tenant", "corner-shop", "--url", "https://shop.example/hook",
		"--collections", "tenants")
	id := created["doc"].(map[string]any)["id"].(string)
	if secret, _ := created["secret"].(string); !strings.HasPrefix(secret, "whsec_") {
		t.Errorf("created: %v", created)
	}
	_, list := requestJSON(t, "GET", s.url+"/api/webhook-endpoints?sort=createdAt&limit=100", "", admin)
	compareOutput(t, "the endpoints", m.runJSON(t, "webhooks", "list", "--tenant", "corner-shop"), list)
	if out, stderr, code := m.runProcess(t, "webhooks", "list", "--tenant", "corner-shop"); code != 0 ||
		strings.Contains(out+stderr, "whsec_") || !strings.Contains(out, "https://shop.example/hook") {
		t.Errorf("%d %s %s", code, out, stderr)
	}
	test := m.runJSON(t, "webhooks", "test", id, "--tenant", "corner-shop")["delivery"].(map[string]any)
	again := m.runJSON(t, "webhooks", "redeliver", test["id"].(string), "--tenant", "corner-shop")["delivery"].(map[string]any)
	if test["test"] != true || again["id"] != test["id"] {
		t.Errorf("test delivery %v, sent again as %v", test, again)
	}
	if done := m.runJSON(t, "events", "replay", id, "--tenant", "corner-shop", "--from", "1"); done["deliveries"] != 2.0 ||
		done["nextSequence"] != nil {
		t.Errorf("replayed: %v", done)
	}
	if list := m.runJSON(t, "webhooks", "deliveries", "--tenant", "corner-shop", "--endpoint", id, "--limit", "2"); list["totalDocs"] != 3.0 ||
		len(list["docs"].([]any)) != 2 {
		t.Errorf("deliveries: %v", list)
	}
	m.runJSON(t, "webhooks", "disable", id, "--tenant", "corner-shop")
	if _, stderr, code := m.runProcess(t, "events", "replay", id, "--tenant", "corner-shop", "--from", "1"); code != exitFailed ||
		!strings.Contains(stderr, "endpoint is disabled") {
		t.Errorf("%d %s", code, stderr)
	}
	m.runJSON(t, "webhooks", "enable", id, "--tenant", "corner-shop")
	m.runJSON(t, "webhooks", "delete", id, "--tenant", "corner-shop", "--yes")
	if list := m.runJSON(t, "webhooks", "list", "--tenant", "corner-shop"); list["totalDocs"] != 0.0 {
		t.Errorf("after the deletion: %v", list)
	}
}

func TestUsageCommandMatchesAPI(t *testing.T) {
	t.Parallel()
	withRunningServer(t, func(t *testing.T, m commandEnv, s *runningServer) {
		created := m.runJSON(t, "tenant", "create", "--name", "Corner Shop", "--plan", "basic")
		key := "X-API-Key: " + created["secretKey"].(string)
		for range 3 {
			requestJSON(t, "GET", s.url+"/api/products/count", "", key)
		}
		waitUntil(t, func() bool { return m.runJSON(t, "usage", "--tenant", "corner-shop")["used"] == 3.0 })
		usage := m.runJSON(t, "usage", "--tenant", "corner-shop")
		_, api := requestJSON(t, "GET", s.url+"/api/usage", "", key)
		compareOutput(t, "usage", usage, api) // a call is counted after its answer, so the API's own is not included
	})
}

// passwordIn is the password that a command made and printed.
func passwordIn(out string) string {
	_, rest, _ := strings.Cut(out, "password  ")
	return strings.Fields(rest)[0]
}

// The command user password resets the password of a platform admin, to whom no tenant sends a token.
func TestUserPasswordCommand(t *testing.T) {
	t.Parallel()
	m := newDemoEnv(t)
	s := m.serve(t)
	created := m.must(t, "user", "create", "--email", "root@platform.example", "--role", "platform-admin")
	login := func(password string) int {
		status, _ := requestJSON(t, "POST", s.url+"/api/users/login",
			fmt.Sprintf(`{"email":"root@platform.example","password":%q}`, password))
		return status
	}
	if status := login(passwordIn(created)); status != 200 {
		t.Fatal(status)
	}
	if reset := m.must(t, "user", "password", "Root@platform.example"); login(passwordIn(created)) != 401 || login(passwordIn(reset)) != 200 {
		t.Error("the old password still works, or the new one does not")
	}
	if out, err := m.command(t, "user", "password", "nobody@platform.example"); err == nil || strings.Contains(out, "password") {
		t.Error(out, err)
	}
}

func TestTenantCreateWhileServerRuns(t *testing.T) {
	t.Parallel()
	m := newDemoEnv(t)
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
	if _, err := m.command(t, "tenant", "create", "--name", "Corner Shop", "--json"); err == nil ||
		!strings.Contains(err.Error(), "slug corner-shop") {
		t.Errorf("a second tenant with the same slug: %v", err)
	}
	if _, err := m.command(t, "tenant", "create", "--name", "X", "--plan", "gold"); err == nil || !strings.Contains(err.Error(), "plan") {
		t.Errorf("an unknown plan: %v", err)
	}
}

// A new shop is at home where its currency or country says, unless it is told otherwise. Rule shop-7.
func TestTenantCreateIsAtHome(t *testing.T) {
	t.Parallel()
	m := newCommandEnv(t)
	m.must(t, "migrate")
	for name, c := range map[string]struct {
		flags []string
		want  map[string]any
	}{
		"Won Shop":    {nil, map[string]any{"country": nil, "locale": "ko", "timeZone": "Asia/Seoul"}},
		"Berlin Shop": {[]string{"--currency", "EUR", "--country", "de"}, map[string]any{"country": "DE", "locale": "de", "timeZone": "Europe/Berlin"}},
		"Other Shop": {
			[]string{"--locale", "en-us", "--time-zone", "UTC"}, map[string]any{"country": nil, "locale": "en-US", "timeZone": "UTC"},
		},
	} {
		m.must(t, append([]string{"tenant", "create", "--name", name}, c.flags...)...)
		shop := m.runJSON(t, "tenant", "show", "--tenant", name)
		for field, want := range c.want {
			if got := shop["settings"].(map[string]any)[field]; got != want {
				t.Errorf("%s: %s is %v, want %v", name, field, got, want)
			}
		}
	}
	for flag, field := range map[string]string{"--country": "country", "--locale": "locale", "--time-zone": "timeZone"} {
		if _, err := m.command(t, "tenant", "create", "--name", "X", flag, "nowhere"); err == nil || !strings.Contains(err.Error(), field) {
			t.Errorf("%s: %v", flag, err)
		}
	}
}

// A person who has the address of a new tenant's admin keeps their account and is invited: they are no user of the tenant
// before they accept.
func TestTenantCreateInvitesKnownAdmin(t *testing.T) {
	t.Parallel()
	withRunningServer(t, func(t *testing.T, m commandEnv, s *runningServer) {
		const email = "kim@shop.example"
		first := m.runJSON(t, "tenant", "create", "--name", "First", "--admin", "Kim@Shop.example")
		login, status := logIn(t, s, email, first["adminPassword"].(string))
		if status != http.StatusOK || first["invitationToken"] != nil || first["adminEmail"] != email {
			t.Fatalf("the first tenant: %d %v", status, first)
		}
		second := m.runJSON(t, "tenant", "create", "--name", "Second", "--admin", "KIM@shop.example")
		if second["invited"] != true || second["adminPassword"] != nil || second["expiresAt"] == nil || second["adminEmail"] != email {
			t.Fatalf("the second tenant: %v", second)
		}
		there := "X-Tenant-Id: " + second["tenantId"].(string)
		if status, got := requestJSON(t, "GET", s.url+"/api/users", "", login, there); status != http.StatusForbidden {
			t.Errorf("before the person accepts: %d %v", status, got)
		}
		secret := "X-API-Key: " + second["secretKey"].(string)
		if _, users := requestJSON(t, "GET", s.url+"/api/users", "", secret); users["totalDocs"] != 0.0 {
			t.Errorf("users before the person accepts: %v", users)
		}
		again := m.runJSON(t, "user", "create", "--tenant", "second", "--email", email, "--role", "tenant-admin")
		accept := func(token any) int {
			status, _ := requestJSON(t, "POST", fmt.Sprintf("%s/api/invitations/%v/accept", s.url, token), "", login)
			return status
		}
		if before, now := accept(second["invitationToken"]), accept(again["invitationToken"]); before != 400 || now != 200 {
			t.Errorf("the replaced invitation is answered with %d, the new one with %d", before, now)
		}
		if status, got := requestJSON(t, "GET", s.url+"/api/api-keys", "", login, there); status != http.StatusOK {
			t.Errorf("the admin: %d %v", status, got)
		}
		third := m.must(t, "tenant", "create", "--name", "Third", "--admin", email)
		_, token, _ := strings.Cut(third, "/api/invitations/")
		token, _, _ = strings.Cut(token, "/accept")
		if strings.Contains(third, "password         ") || accept(token) != http.StatusOK {
			t.Errorf("for people:\n%s", third)
		}
	})
}
