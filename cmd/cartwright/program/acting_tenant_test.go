package program

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Clients name their tenant in everything that they send. Every operation with a body takes it when it is the acting one,
// and otherwise refuses it by name; a new operation is found here. Rule collections-30.
func TestEveryOperationMayBeToldTheActingTenant(t *testing.T) {
	t.Parallel()
	s, _ := startServerWithClock(t, nil)
	own, foreign := s.NewCredentials.TenantID, "01890000-0000-7000-8000-000000000000"
	called, keys := 0, 0
	call := func(o *operation.Operation, at operation.Surface, tenantID any) string {
		input := sampleOf(o.Input)
		input["tenant"] = tenantID
		if input["environment"] != nil {
			input["environment"] = "test" // that of the keys
		}
		body, err := json.Marshal(input)
		if err != nil {
			t.Fatal(err)
		}
		headers := []string{"X-Client-Key: " + s.NewCredentials.TestClientKey}
		if o.Admits(at, tenant.SecretKey) {
			headers = []string{"X-API-Key: " + s.NewCredentials.TestSecretKey}
		} else if o.Admits(at, tenant.User) && o.Credentials == operation.CredentialsRequired {
			headers = []string{"Authorization: Bearer " + logInAs(t, s, "users", s.NewCredentials.AdminEmail, s.NewCredentials.AdminPassword)}
		}
		called, keys = called+1, keys+1
		_, a := requestJSON(t, o.Method, s.BaseURL+addressOf(o, at), string(body), append(headers, fmt.Sprintf("Idempotency-Key: ik_%032d", keys))...)
		raw, err := json.Marshal(a)
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	for _, o := range s.operations() {
		if !o.HasBody() || o.Upload != nil {
			continue // TestFormMayNameTheActingTenant
		}
		o.Surfaces.EachSurface(func(at operation.Surface) {
			for _, v := range []any{own, map[string]any{"id": own}} {
				if a := call(&o, at, v); strings.Contains(a, `"field":"tenant"`) {
					t.Errorf("%s at %s refuses the acting tenant: %s", o.Name, at.Prefix(), a)
				}
			}
			if a := call(&o, at, foreign); !strings.Contains(a, `"field":"tenant"`) || !strings.Contains(a, "This field is read-only.") {
				t.Errorf("%s at %s takes another tenant: %s", o.Name, at.Prefix(), a)
			}
		})
	}
	if called < 90 {
		t.Errorf("only %d calls", called)
	}
}
