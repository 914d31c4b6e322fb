package program

import (
	"net/http"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Every guarded operation, and every guarded write of records, is refused to an admin whose session was not proven lately. Rule access-67.
func TestGuardedOperationsTakeAProof(t *testing.T) {
	t.Parallel()
	s, ahead := startServerWithClock(t, nil)
	admin := "Authorization: Bearer " + logInAs(t, s, "users", s.NewCredentials.AdminEmail, s.NewCredentials.AdminPassword)
	ahead.Add(int64(tenant.ProofLasts + time.Minute))
	refused := func(method, path, body string) {
		t.Helper()
		status, a := requestJSON(t, method, s.BaseURL+path, body, admin, "Idempotency-Key: 0123456789abcdef0123")
		if status != http.StatusForbidden || reasonOf(a) != tenant.ErrReauthenticate.Reason {
			t.Errorf("%s %s: %d %v", method, path, status, a)
		}
	}
	found := 0
	for _, o := range s.operations() {
		if !o.Guarded {
			continue
		}
		found++
		if !o.Mutates || !o.Admits(operation.Root, tenant.User) {
			t.Errorf("%s is guarded and changes nothing, or is not for users: their sessions are looked up for changes alone", o.Name)
		}
		refused(o.Method, addressOf(&o, operation.Root), bodyOf(t, &o))
	}
	if found < 10 {
		t.Errorf("only %d operations are guarded", found)
	}
	for _, c := range s.registry.All() {
		for verb, method := range map[collection.Verb]string{collection.Create: "POST", collection.Update: "PATCH", collection.Delete: "DELETE"} {
			if !c.Guards(verb) {
				continue
			}
			path, body := "/api/"+c.Slug, "{}"
			if verb == collection.Create {
				refused(method, path, body)
				continue
			}
			if verb == collection.Delete {
				body = ""
			}
			refused(method, path+"/x", body)
			refused(method, path+"?where[id][equals]=x", body)
		}
	}
}
