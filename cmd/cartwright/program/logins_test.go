package program

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/app/onboarding"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// startServerWithClock starts a server with these variables, and a clock that stands still until the test moves it.
func startServerWithClock(t *testing.T, variables map[string]string) (*Server, *atomic.Int64) {
	t.Helper()
	m := newDemoEnv(t)
	for name, value := range variables {
		m = m.with(name, value)
	}
	c, err := m.config()
	if err != nil {
		t.Fatal(err)
	}
	var ahead atomic.Int64
	start := time.Now().Truncate(time.Second).Add(time.Second) // not before the demo shop was made
	clock := func() time.Time { return start.Add(time.Duration(ahead.Load())) }
	return startServer(t, c, clock, slog.New(slog.DiscardHandler)), &ahead
}

// logInAs logs a user or customer of the demo shop in and returns the token.
func logInAs(t *testing.T, s *Server, kind, email, password string) string {
	t.Helper()
	body, _ := json.Marshal(map[string]string{"email": email, "password": password})
	_, answer := requestJSON(t, "POST", s.BaseURL+"/api/"+kind+"/login", string(body), "X-Client-Key: "+s.NewCredentials.ClientKey)
	token, _ := answer["token"].(string)
	if token == "" {
		t.Fatalf("%s: %v", kind, answer)
	}
	return token
}

// An expired login is answered with 419, by token and by cookie, even where a caller without a login would be
// answered. A token that was tampered with is not a login, whatever time it states.
func TestLoginsExpire(t *testing.T) {
	t.Parallel()
	s, ahead := startServerWithClock(t, map[string]string{"CARTWRIGHT_TOKEN_EXPIRATION": "2"})
	if status, a := requestJSON(t, "POST", s.BaseURL+"/api/customers/register", `{"email":"kim@shop.example","password":"correct horse"}`,
		"X-Client-Key: "+s.NewCredentials.ClientKey); status != 201 {
		t.Fatal(status, a)
	}
	user, loggedOut := logInAs(t, s, "users", s.NewCredentials.AdminEmail, s.NewCredentials.AdminPassword), logInAs(t, s, "users",
		s.NewCredentials.AdminEmail, s.NewCredentials.AdminPassword)
	customer := logInAs(t, s, "customers", "kim@shop.example", "correct horse")
	if status, a := requestJSON(t, "POST", s.BaseURL+"/api/users/logout", "", "Authorization: Bearer "+loggedOut); status != 200 {
		t.Fatal(status, a)
	}
	_, a := requestJSON(t, "POST", s.BaseURL+"/api/auth/token", "", "X-API-Key: "+s.NewCredentials.SecretKey)
	server, _ := a["token"].(string)
	tampered := user[:len(user)-2] + "xx"
	for name, c := range map[string]struct {
		method, path, body, header  string
		atOnce, later, quarterLater int
	}{
		"a user":                {"GET", "brands", "", "Authorization: Bearer " + user, 200, 419, 419},
		"a user by cookie":      {"GET", "brands", "", "Cookie: cartwright-token=" + user, 200, 419, 419},
		"a user's me":           {"GET", "users/me", "", "Authorization: Bearer " + user, 200, 419, 419},
		"a user's me by cookie": {"GET", "users/me", "", "Cookie: cartwright-token=" + user, 200, 419, 419},
		"a refresh":             {"POST", "users/refresh-token", "", "Authorization: Bearer " + user, 200, 419, 419},
		"a customer":            {"GET", "customers/me", "", "Authorization: Bearer " + customer, 200, 419, 419},
		"a server token":        {"GET", "brands", "", "Authorization: Bearer " + server, 200, 200, 419},
		"a tampered token":      {"GET", "brands", "", "Authorization: Bearer " + tampered, 401, 401, 401},
		"a tampered token's me": {"GET", "users/me", "", "Authorization: Bearer " + tampered, 200, 200, 200},
		"a login after logout":  {"GET", "brands", "", "Authorization: Bearer " + loggedOut, 401, 419, 419},
		"an expired reset request": {
			"POST", "users/forgot-password", `{"email":"nobody@shop.example"}`, "Authorization: Bearer " + user, 200, 200, 200,
		},
		"an expired cookie's reset": {
			"POST", "users/forgot-password", `{"email":"no@shop.example"}`, "Cookie: cartwright-token=" + user, 200, 200, 200,
		},
	} {
		for after, want := range map[time.Duration]int{0: c.atOnce, 2 * time.Second: c.later, 15 * time.Minute: c.quarterLater} {
			ahead.Store(int64(after))
			if status, a := requestJSON(t, c.method, s.BaseURL+"/api/"+c.path, c.body, c.header); status != want {
				t.Errorf("%s after %s: %d %v", name, after, status, a)
			}
		}
		ahead.Store(0)
	}
}

// A member of two tenants sees the names of both, in whichever they act. Rule access-12.
func TestUserSeesNamesOfTheirTenants(t *testing.T) {
	t.Parallel()
	s, _ := startServerWithClock(t, nil)
	second, err := s.onboarding.Prepare(onboarding.TenantInput{Name: "Second", Plan: tenant.Basic})
	if err == nil {
		err = s.onboarding.Create(t.Context(), second)
	}
	var asked onboarding.AddedMember
	if err == nil {
		asked, err = s.onboarding.AddMember(t.Context(), second.Tenant.ID,
			onboarding.MemberInput{Email: s.NewCredentials.AdminEmail, Role: tenant.Viewer})
	}
	if err != nil {
		t.Fatal(err)
	}
	bearer := "Authorization: Bearer " + logInAs(t, s, "users", s.NewCredentials.AdminEmail, s.NewCredentials.AdminPassword)
	accept := "mutation { acceptInvitation(token: \"" + asked.Invitation.Token + "\") { user { role } } }"
	query, _ := json.Marshal(map[string]string{"query": accept})
	if _, done := requestJSON(t, "POST", s.BaseURL+"/api/graphql", string(query), bearer); done["errors"] != nil {
		t.Fatal(done)
	}
	const shops = `user { email tenants { name plan } }`
	login, err := json.Marshal(map[string]string{
		"query": fmt.Sprintf("mutation { loginUser(email: %q, password: %q) { %s } }",
			s.NewCredentials.AdminEmail, s.NewCredentials.AdminPassword, shops),
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string]map[string]any{
		"at login": decodedBody(requestJSON(t, "POST", s.BaseURL+"/api/graphql", string(login))),
		"in the default tenant": decodedBody(requestJSON(t, "POST", s.BaseURL+"/api/graphql",
			`{"query":"{ meUser { `+shops+` } }"}`, bearer)),
		"in the second tenant": decodedBody(requestJSON(t, "POST", s.BaseURL+"/api/graphql", `{"query":"{ meUser { `+shops+` } }"}`, bearer,
			"X-Tenant-Id: "+string(second.Tenant.ID))),
	} {
		raw, _ := json.Marshal(got)
		if !strings.Contains(string(raw), `"name":"Second","plan":"basic"`) || !strings.Contains(string(raw), `"plan":"enterprise"`) {
			t.Errorf("%s: %s", name, raw)
		}
	}
}

func decodedBody(_ int, body map[string]any) map[string]any { return body }
