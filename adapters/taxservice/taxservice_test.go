package taxservice_test

import (
	"errors"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/taxservice"
	"github.com/cartwright-dev/cartwright/adapters/testservers/taxfake"
	"github.com/cartwright-dev/cartwright/adapters/webhook"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tax"
	"github.com/cartwright-dev/cartwright/ports"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

var california = []taxfake.Rate{{Name: "California", BasisPoints: 725, Jurisdiction: "State of California"}, {Name: "Town", BasisPoints: 100}}

func rates() map[string][]taxfake.Rate { return map[string][]taxfake.Rate{"US/CA": california} }

// newApp makes an app that may dial this machine.
func newApp(o taxservice.Options) *taxservice.App {
	if o.Sender == nil {
		o.Sender = webhook.NewSender(webhook.Options{AllowPrivate: true})
	}
	o.Signer, o.Now = webhook.Signer{}, time.Now
	return taxservice.New(o)
}

func connectionTo(s *taxfake.Server) ports.TaxConnection {
	return ports.TaxConnection{ID: "connection", Tenant: "shop", Environment: "test", URL: s.URL, Secret: taxfake.Secret}
}

func TestTable(t *testing.T) {
	t.Parallel()
	portstest.TaxService(t, func(*testing.T) (ports.TaxService, ports.TaxConnection) {
		return taxservice.Table{}, ports.TaxConnection{}
	})
}

func TestApp(t *testing.T) {
	t.Parallel()
	portstest.TaxService(t, func(t *testing.T) (ports.TaxService, ports.TaxConnection) {
		t.Helper()
		return newApp(taxservice.Options{}), connectionTo(taxfake.New(t, rates()))
	})
}

func question(conn ports.TaxConnection) ports.TaxQuestion {
	return ports.TaxQuestion{
		Connection: conn, Rules: tax.Rules{Mode: tax.Added, Outside: true},
		Sale: tax.Sale{
			Currency: "USD", Place: tax.Place{Country: "US", Province: "CA", PostalCode: "94016", City: "San Francisco", Street: "1 Main Street"},
			From: tax.Place{Country: "KR"}, Buyer: tax.Buyer{Customer: "c1", TaxID: "US-7"},
			Items: []tax.Item{{Key: "a", SKU: "MUG", Quantity: 2, Amount: money.Of(2000, "USD")}},
		},
	}
}

// ask asks and checks the answer.
func ask(t *testing.T, app ports.TaxService, q ports.TaxQuestion) (tax.Answer, error) {
	t.Helper()
	answer, err := app.Quote(t.Context(), q)
	if err != nil {
		return answer, err
	}
	return q.Rules.Check(q.Sale, answer)
}

// Rule taxes-13.
func TestAServiceIsToldWhatIsSoldAndWhereItGoes(t *testing.T) {
	t.Parallel()
	fake := taxfake.New(t, rates())
	app, q := newApp(taxservice.Options{}), question(connectionTo(fake))
	got, err := ask(t, app, q)
	if err != nil || got.Lines[0].Taxes[0].Jurisdiction != "State of California" || got.Source != tax.Service {
		t.Fatalf("%+v %v", got, err)
	}
	if _, err := ask(t, app, q); err != nil {
		t.Fatal(err)
	}
	asked := fake.Asked()
	first := asked[0]
	if len(asked) != 2 || first.ID != asked[1].ID || first.ID == "" {
		t.Errorf("the same question has another id: %+v", asked)
	}
	if first.Environment != "test" || first.Currency != "USD" || first.Prices != "added" || first.To.City != "San Francisco" ||
		first.To.Address1 != "1 Main Street" || first.From.Country != "KR" || first.Customer.TaxID != "US-7" || first.Shipping != nil ||
		first.Lines[0] != (taxfake.Line{Key: "a", SKU: "MUG", TaxClass: "standard", Quantity: 2, Amount: 2000}) {
		t.Errorf("%+v", first)
	}
}

// Rules taxes-14, taxes-15.
func TestABrokenServiceIsRefused(t *testing.T) {
	t.Parallel()
	for mode, cause := range map[taxfake.Mode]error{
		taxfake.Failing: nil, taxfake.Hanging: nil, taxfake.Refusing: ports.ErrTaxServiceRefused, taxfake.Redirecting: ports.ErrTaxServiceRefused,
		taxfake.Huge: ports.ErrTaxServiceUnreadable, taxfake.Garbled: ports.ErrTaxServiceUnreadable, taxfake.WrongTotal: tax.ErrImplausible,
		taxfake.WrongTax: tax.ErrImplausible, taxfake.UnknownLine: tax.ErrImplausible, taxfake.MissingLine: tax.ErrImplausible,
		taxfake.Negative: tax.ErrImplausible,
	} {
		t.Run(string(mode), func(t *testing.T) {
			t.Parallel()
			fake := taxfake.New(t, rates())
			fake.Set(mode)
			o := taxservice.Options{}
			if mode == taxfake.Hanging {
				o.Timeout = 50 * time.Millisecond
			}
			_, err := ask(t, newApp(o), question(connectionTo(fake)))
			if err == nil || cause != nil && !errors.Is(err, cause) || !errors.Is(err, tax.ErrImplausible) && !errors.Is(err, tax.ErrUnavailable) {
				t.Errorf("%v", err)
			}
		})
	}
}

// A secret that the service does not know is refused by it. Rule taxes-18.
func TestQuestionsAreSigned(t *testing.T) {
	t.Parallel()
	fake := taxfake.New(t, rates())
	conn := connectionTo(fake)
	conn.Secret = "whsec_YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWE="
	if _, err := ask(t, newApp(taxservice.Options{}), question(conn)); !errors.Is(err, ports.ErrTaxServiceRefused) || len(fake.Asked()) != 0 {
		t.Errorf("%v, %d questions", err, len(fake.Asked()))
	}
}

// Rule taxes-18.
func TestNoPrivateAddressIsAsked(t *testing.T) {
	t.Parallel()
	fake := taxfake.New(t, rates())
	app := newApp(taxservice.Options{Sender: webhook.NewSender(webhook.Options{})})
	if _, err := ask(t, app, question(connectionTo(fake))); !errors.Is(err, tax.ErrUnavailable) || len(fake.Asked()) != 0 {
		t.Errorf("%v, %d questions", err, len(fake.Asked()))
	}
}

// Rule taxes-15.
func TestAServiceThatFailsIsLeftAlone(t *testing.T) {
	t.Parallel()
	fake := taxfake.New(t, rates())
	fake.Set(taxfake.Failing)
	app := newApp(taxservice.Options{MaxFailures: 3, OpenFor: time.Hour})
	q := question(connectionTo(fake))
	for range 5 {
		if _, err := ask(t, app, q); !errors.Is(err, tax.ErrUnavailable) {
			t.Fatal(err)
		}
	}
	_, err := ask(t, app, q)
	if !errors.Is(err, ports.ErrNotSent) || len(fake.Asked()) != 3 {
		t.Errorf("%v after %d questions", err, len(fake.Asked()))
	}
	if all := app.Circuits(); len(all) != 1 || all[0].State != ports.CircuitOpen || all[0].Name != "tax" || all[0].Connection != "connection" {
		t.Errorf("%+v", all)
	}
	other := connectionTo(taxfake.New(t, rates()))
	other.ID = "other"
	if _, err := ask(t, app, question(other)); err != nil {
		t.Errorf("another connection: %v", err)
	}
}

// Rule taxes-15.
func TestAServiceThatHangsHoldsFewBuyers(t *testing.T) {
	t.Parallel()
	fake := taxfake.New(t, rates())
	fake.Set(taxfake.Hanging)
	app := newApp(taxservice.Options{Timeout: time.Hour, Concurrency: 1})
	q := question(connectionTo(fake))
	waiting := make(chan error, 1)
	go func() {
		_, err := app.Quote(t.Context(), q)
		waiting <- err
	}()
	fake.Await(1)
	if _, err := ask(t, app, q); !errors.Is(err, ports.ErrNotSent) {
		t.Errorf("%v", err)
	}
	fake.CloseClientConnections()
	if err := <-waiting; !errors.Is(err, tax.ErrUnavailable) {
		t.Errorf("%v", err)
	}
}
