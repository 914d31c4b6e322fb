package taxing_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/taxservice"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/adapters/testservers/taxfake"
	"github.com/cartwright-dev/cartwright/adapters/token"
	"github.com/cartwright-dev/cartwright/adapters/webhook"
	"github.com/cartwright-dev/cartwright/app/drafts"
	"github.com/cartwright-dev/cartwright/app/placement"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/app/taxing"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/draft"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/tax"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

func TestMain(m *testing.M) { shops.Main(m) }

// fake starts a service that charges 10 % in Korea.
func fake(t *testing.T) *taxfake.Server {
	t.Helper()
	return taxfake.New(t, map[string][]taxfake.Rate{"KR/": {{Name: "VAT", BasisPoints: 1000}}, "KR/11": {{Name: "VAT", BasisPoints: 1000}}})
}

// connect creates a connection to a service and returns its id.
func connect(b *paymentbed.Bed, s *taxfake.Server) string {
	return b.Create(tax.Connections, `{"name":"Service","environment":"test","url":"`+s.URL+`","secret":"`+taxfake.Secret+`"}`)
}

// Rules taxes-13, taxes-15, taxes-16.
func TestDraftsHaveTheTaxesOfTheirService(t *testing.T) {
	paymentbed.OnBothDatabases(t, func(t *testing.T, b *paymentbed.Bed) {
		service := fake(t)
		connect(b, service)
		market := b.Create(catalog.Markets,
			`{"name":"Korea","code":"kr","currency":"KRW","countries":["KR"],"taxes":"added","taxSource":"service"}`)
		selling := &drafts.Service{
			Store: b.Store, Idempotency: b.Idempotency, Numbers: placement.Numbers{}, Vault: b.Vault, Taxes: b.Checkouts.Taxes, Now: b.Now,
			NewID: shops.NewID,
		}
		draftOf := func(product string) string {
			return b.Create(draft.Schema, `{"currency":"KRW","market":"`+market+`",
				"customerSnapshot":{"name":"Kim","email":"kim@shopper.example"},"lines":[{"variant":"`+
				b.Variants[product]+`","quantity":2}],"shippingAddress":{"recipientName":"Kim","country":"KR","postalCode":"06000","address1":"1"}}`)
		}
		id := draftOf("mug")
		preview, err := selling.Calculate(t.Context(), b.Owner(), id, false)
		if err != nil || !preview.Taxes.Estimated || preview.Taxes.Source != tax.Table || len(service.Asked()) != 0 {
			t.Fatalf("%+v %v", preview.Taxes, err)
		}
		sell := func(id string) (paymentbed.Answer, error) {
			a, err := selling.Finalize(t.Context(), b.Server(paymentbed.Key(), "drafts.finalize", ""), id)
			if err := paymentbed.Outcome(a, err); err != nil {
				return nil, err
			}
			return b.Must(a, nil), nil
		}
		service.Set(taxfake.Failing)
		if _, err := sell(id); !errors.Is(err, tax.ErrUnavailable) {
			t.Errorf("without an answer: %v", err)
		}
		service.Set(taxfake.Right)
		before := len(service.Asked())
		got, err := sell(id)
		if err != nil {
			t.Fatal(err)
		}
		// 24000 and 3000 for shipping.
		o := order.FromRecord(b.Get(order.Schema, got.Text("order.id")))
		if o.Total.Minor != 29700 || o.Taxes.Source != tax.Service || o.Taxes.Estimated || len(service.Asked()) != before+1 {
			t.Errorf("%v of %+v after %d questions", o.Total, o.Taxes, len(service.Asked())-before)
		}
		digital := draftOf("course")
		if got, err = sell(digital); err != nil || got.Text("order.totalAmount") != "66000" {
			t.Errorf("what does not ship: %v %v", got.At("order"), err)
		}
		linked := draftOf("lamp")
		link := b.Must(selling.PaymentLink(t.Context(), b.Server(paymentbed.Key(), "drafts.link", ""), linked, 1))
		if link.Text("checkout.totals.total") != "113300" || link.Text("checkout.totals.taxes.source") != "service" {
			t.Errorf("a payment link: %v", link.At("checkout.totals"))
		}
	})
}

// Rule taxes-18.
func TestSecretsOfTaxConnectionsAreKept(t *testing.T) {
	paymentbed.OnOwnServers(t, func(t *testing.T, b *paymentbed.Bed, _ testservers.Inspector) {
		id := connect(b, fake(t))
		stored := b.Get(tax.Connections, id).Text("secret")
		if stored == "" || strings.Contains(stored, taxfake.Secret) || strings.Contains(stored, "whsec_") {
			t.Fatalf("stored as %q", stored)
		}
		b.Change(tax.Connections, id, `{"name":"Another name"}`)
		if b.Get(tax.Connections, id).Text("secret") != stored {
			t.Error("another name changes the secret")
		}
		secrets, err := token.NewSecrets(map[int][]byte{1: []byte("thirty-two bytes of secret for it"), 2: []byte("another thirty-two bytes of those")})
		if err != nil {
			t.Fatal(err)
		}
		newer := token.NewVault(secrets)
		report, err := taxing.Resealer(b.Store, newer, b.Now, shops.NewID).Rotate(t.Context())
		if err != nil || report.Outdated < 1 || len(report.Unreadable) != 0 {
			t.Fatalf("%+v %v", report, err)
		}
		tester := testerOf(b, newer)
		if r, err := tester.Test(t.Context(), b.Owner(), id); err != nil || r.Problem != "" {
			t.Errorf("after the rotation: %+v %v", r, err)
		}
		if r, err := testerOf(b, b.Vault).Test(t.Context(), b.Owner(), id); err != nil || r.Problem != taxing.SecretUnreadable {
			t.Errorf("with the old secret alone: %+v %v", r, err)
		}
	})
}

// Rule taxes-18.
func TestTaxConnectionsThatCannotWorkAreRefused(t *testing.T) {
	paymentbed.OnBothDatabases(t, func(t *testing.T, b *paymentbed.Bed) {
		id := connect(b, fake(t))
		for change, field := range map[string]string{
			`{"url":"ftp://taxes.example/"}`: "url", `{"url":"https://user@taxes.example/"}`: "url", `{"secret":"secret"}`: "secret",
			`{"secret":"whsec_c2hvcnQ="}`: "secret", `{"secret":null}`: "secret", `{"secret":""}`: "secret",
		} {
			err := b.Store.Atomically(t.Context(), ports.ForTenant(b.Shop.ID), func(ctx context.Context, tx ports.Tx) error {
				_, err := (records.InTransaction{Service: b.Records}).Update(ctx, tx, b.Owner(), tax.Connections, id, shops.ParseObject(t, change))
				return err
			})
			if f := fault.From(err); len(f.Fields) != 1 || f.Fields[0].Field != field {
				t.Errorf("%s: %v", change, err)
			}
		}
	})
}

func testerOf(b *paymentbed.Bed, v ports.Vault) *taxing.Tester {
	return &taxing.Tester{Store: b.Store, Vault: v, Now: b.Now, Service: taxservice.New(taxservice.Options{
		Sender: webhook.NewSender(webhook.Options{AllowPrivate: true}), Signer: webhook.Signer{}, Now: b.Now, MaxFailures: 2,
	})}
}

// Rule taxes-19.
func TestATaxConnectionIsTested(t *testing.T) {
	paymentbed.OnBothDatabases(t, func(t *testing.T, b *paymentbed.Bed) {
		b.Shop.Country = "KR"
		service := fake(t)
		id, tester := connect(b, service), testerOf(b, b.Vault)
		for _, c := range []struct {
			mode taxfake.Mode
			want taxing.TestProblem
		}{
			{taxfake.Right, ""}, {taxfake.WrongTax, taxing.AnswerWrong}, {taxfake.Refusing, taxing.QuestionRefused},
			{taxfake.Garbled, taxing.AnswerUnreadable}, {taxfake.Failing, taxing.ServiceUnreachable}, {taxfake.Right, taxing.CallsPaused},
		} {
			service.Set(c.mode)
			got, err := tester.Test(t.Context(), b.Owner(), id)
			if err != nil || got.Problem != c.want || (got.Detail != "") != (c.want == taxing.AnswerWrong) || c.want == "" && got.Total.Minor != 10 {
				t.Errorf("%s: %+v %v", c.mode, got, err)
			}
		}
		viewer := b.Owner()
		viewer.Kind, viewer.Role = tenant.User, tenant.Viewer
		if _, err := tester.Test(t.Context(), viewer, id); !errors.Is(err, fault.ErrForbidden) {
			t.Errorf("a viewer: %v", err)
		}
		if _, err := tester.Test(t.Context(), b.Owner(), shops.NewID()); !errors.Is(err, ports.ErrNotFound) {
			t.Errorf("an unknown one: %v", err)
		}
	})
}
