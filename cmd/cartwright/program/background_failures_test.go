package program

import (
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/app/onboarding"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// What background work has set aside, of whatever tenant, is shown to platform admins and to nobody else.
func TestBackgroundFailuresAreShownToPlatformAdmins(t *testing.T) {
	t.Parallel()
	s := buildOnSQLite(t)
	runUntilCleanup(t, s)
	at := time.Date(2126, 1, 2, 3, 4, 5, 0, time.UTC) // what was not tried again for long is forgotten
	for _, f := range []ports.BackgroundFailure{
		{Task: "abandoned carts", Tenant: "elsewhere", Item: "c1", Failures: 5, Error: "unreadable", FirstFailedAt: at, LastFailedAt: at,
			RetryAt: at},
		{Task: "old events", Failures: 6, Error: "no space", FirstFailedAt: at, LastFailedAt: at.Add(time.Hour), RetryAt: at},
	} {
		if err := s.store.BackgroundFailures().Save(t.Context(), f); err != nil {
			t.Fatal(err)
		}
	}
	login := func(email, password string) string {
		t.Helper()
		status, body := requestJSON(t, "POST", s.BaseURL+"/api/users/login", `{"email": "`+email+`", "password": "`+password+`"}`)
		if status != 200 {
			t.Fatalf("%d %v", status, body)
		}
		return "Authorization: Bearer " + textAt(body, "token")
	}
	admin := login(s.NewCredentials.AdminEmail, s.NewCredentials.AdminPassword)
	for _, caller := range []string{"X-API-Key: " + s.NewCredentials.SecretKey, "X-Client-Key: " + s.NewCredentials.ClientKey, admin} {
		if status, body := requestJSON(t, "GET", s.BaseURL+"/api/background-failures", "", caller); status != 403 && status != 401 {
			t.Errorf("%.20s: %d %v", caller, status, body)
		}
	}
	member, err := s.onboarding.AddMember(t.Context(), tenant.ID(s.NewCredentials.TenantID),
		onboarding.MemberInput{Email: "root@platform.example", Role: tenant.PlatformAdmin})
	if err != nil {
		t.Fatal(err)
	}
	root := login("root@platform.example", member.Password)
	res := sendRequest(t, "GET", s.BaseURL+"/api/background-failures", "", root)
	want := `{"total":2,"failures":[{"task":"old events","tenant":null,"item":null,"failures":6,"error":"no space",` +
		`"firstFailedAt":"2126-01-02T03:04:05.000Z","lastFailedAt":"2126-01-02T04:04:05.000Z","retryAt":"2126-01-02T03:04:05.000Z"},` +
		`{"task":"abandoned carts","tenant":"elsewhere","item":"c1",`
	if res.status != 200 || !strings.HasPrefix(res.body, want) {
		t.Errorf("%d %s", res.status, res.body)
	}
}
