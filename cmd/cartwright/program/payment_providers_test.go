package program

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/payment"
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
			TaxFreeFor    []payment.Kind
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
			p.SignsWebhooks != want.SignsWebhooks || !slices.Equal(p.TaxFreeFor, want.TaxFree) || len(p.Credentials) != len(want.Credentials) {
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

// The table of the adapters says of each provider which sessions tell it the tax-free part. Rule payments-62.
func TestDocumentationTellsWhereTaxFreePartsGo(t *testing.T) {
	t.Parallel()
	wantInDocumentation(t, "tax-free part", func(p payment.Provider) []payment.Kind { return p.TaxFree })
}

func TestDocumentationTellsWhereCashReceiptsGo(t *testing.T) {
	t.Parallel()
	wantInDocumentation(t, "cash receipt", func(p payment.Provider) []payment.Kind { return p.CashReceipts })
}

// wantInDocumentation compares the rows called what in the documentation of the adapters with what they say of themselves.
func wantInDocumentation(t *testing.T, what string, told func(payment.Provider) []payment.Kind) {
	t.Helper()
	text, err := os.ReadFile("../../../adapters/payment/doc.go")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if row, found := strings.CutPrefix(line, "//\t"+what); found {
			row, _, _ = strings.Cut(row, "(") // a remark
			title, kinds, _ := strings.Cut(strings.TrimSpace(row), "  ")
			rows[title] = strings.TrimSpace(kinds)
		}
	}
	for _, p := range (Config{}).descriptions() {
		want := "none"
		if kinds := told(p); len(kinds) > 0 {
			want = strings.Trim(fmt.Sprint(kinds), "[]")
		}
		if rows[p.Title] != want {
			t.Errorf("adapters/payment/doc.go says %q of %s, want %q", rows[p.Title], p.Title, want)
		}
	}
}
