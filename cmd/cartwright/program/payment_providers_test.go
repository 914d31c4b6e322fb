package program

import (
	"encoding/json"
	"testing"
)

// Whoever sets up a connection is told what its provider needs; shoppers are not. Rule payments-45.
func TestPaymentProvidersAreListed(t *testing.T) {
	t.Parallel()
	s := buildOnSQLite(t)
	runUntilCleanup(t, s)
	path := s.BaseURL + "/api/payment-providers"
	if status, body := requestJSON(t, "GET", path, "", "X-Client-Key: "+s.NewCredentials.ClientKey); status != 403 {
		t.Errorf("a client key: %d %v", status, body)
	}
	res := sendRequest(t, "GET", path, "", "X-API-Key: "+s.NewCredentials.SecretKey)
	var listed struct {
		Providers []struct {
			Name, Title, Account string
			Kinds, Methods       []string
			Credentials          []struct {
				Name, Description string
				Secret            bool
				RequiredFor       []string
			}
			SignsWebhooks bool
		}
	}
	if err := json.Unmarshal([]byte(res.body), &listed); err != nil || res.status != 200 {
		t.Fatalf("%d %s %v", res.status, res.body, err)
	}
	all := Config{}.descriptions()
	if len(listed.Providers) != len(all) {
		t.Fatalf("%d providers are listed, there are %d", len(listed.Providers), len(all))
	}
	for i, p := range listed.Providers {
		want := all[i]
		if p.Name != want.Name || p.Title == "" || p.Account == "" || len(p.Kinds) != len(want.Kinds) || len(p.Methods) != len(want.Methods) ||
			p.SignsWebhooks != want.SignsWebhooks || len(p.Credentials) != len(want.Credentials) {
			t.Errorf("%+v, want %+v", p, want)
			continue
		}
		for j, c := range p.Credentials {
			if w := want.Credentials[j]; c.Name != w.Name || c.Description == "" || c.Secret != w.Secret || len(c.RequiredFor) != len(w.For) {
				t.Errorf("%s: %+v, want %+v", p.Name, c, w)
			}
		}
	}
}
