package portstest

import (
	"context"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tax"
	"github.com/cartwright-dev/cartwright/ports"
)

// TaxRates are what a service under test has to know: 7.25 % of California and 1 % of a town for standard goods and shipping that go to US-CA,
// and nothing for other places.
func TaxRates() []tax.Rate {
	rate := func(name, percent string, layer int64) tax.Rate {
		p, err := money.ParseDecimal(percent)
		if err != nil {
			panic(err)
		}
		return tax.Rate{
			ID: name, Name: name, Country: "US", Province: "CA", Classes: []tax.Class{tax.Standard}, Percent: p, Priority: layer, Shipping: true,
		}
	}
	return []tax.Rate{rate("California", "7.25", 1), rate("Town", "1", 2)}
}

// TaxService checks ports.TaxService of services that know TaxRates, each with a connection to ask it by.
func TaxService(t *testing.T, open func(*testing.T) (ports.TaxService, ports.TaxConnection)) {
	s := taxServices{open}
	t.Run("taxes are added to prices, or in them, of lines and shipping", s.testAnswers)
	t.Run("another place has no taxes", s.testOtherPlace)
	t.Run("the same question has the same answer", s.testRepeated)
	t.Run("many questions at once get the answers that are theirs", s.testConcurrent)
}

type taxServices struct {
	open func(*testing.T) (ports.TaxService, ports.TaxConnection)
}

// taxQuestion asks about two lines, one of which is exempt, and shipping.
func taxQuestion(conn ports.TaxConnection, mode tax.Mode, first int64) ports.TaxQuestion {
	fee := money.Of(500, "USD")
	return ports.TaxQuestion{
		Connection: conn, Rules: tax.Rules{Mode: mode, Country: "US", Rates: TaxRates()},
		Sale: tax.Sale{
			Currency: "USD", Shipping: &fee, Place: tax.Place{Country: "US", Province: "CA", PostalCode: "94016", City: "San Francisco"},
			At: time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC), Items: []tax.Item{
				{Key: "line-1", SKU: "MUG", Class: tax.Standard, Quantity: 2, Amount: money.Of(first, "USD")},
				{Key: "line-2", Class: tax.Exempt, Quantity: 1, Amount: money.Of(700, "USD")},
			},
		},
	}
}

// quote asks and checks the answer as every sale does.
func quote(t *testing.T, s ports.TaxService, q ports.TaxQuestion) tax.Answer {
	t.Helper()
	answer, err := s.Quote(t.Context(), q)
	if err == nil {
		answer, err = q.Rules.Check(q.Sale, answer)
	}
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

func amounts(taxes tax.Taxes) (list []int64) {
	for _, x := range taxes {
		list = append(list, x.Base.Minor, x.Amount.Minor)
	}
	return list
}

func (s taxServices) testAnswers(t *testing.T) {
	service, conn := s.open(t)
	for mode, want := range map[tax.Mode][2][]int64{
		tax.Added:    {{2000, 145, 2000, 20}, {500, 36, 500, 5}},
		tax.Included: {{1848, 134, 1848, 18}, {462, 33, 462, 5}},
	} {
		got := quote(t, service, taxQuestion(conn, mode, 2000))
		if !reflect.DeepEqual(amounts(got.Lines[0].Taxes), want[0]) || len(got.Lines[1].Taxes) != 0 || !reflect.DeepEqual(amounts(got.Shipping), want[1]) {
			t.Errorf("%s: %+v", mode, got)
		}
		if x := got.Lines[0].Taxes[0]; x.Name != "California" || x.Country != "US" || x.Percent.String() != "7.25" {
			t.Errorf("%s: %+v", mode, x)
		}
	}
}

func (s taxServices) testOtherPlace(t *testing.T) {
	service, conn := s.open(t)
	q := taxQuestion(conn, tax.Added, 2000)
	q.Sale.Place, q.Sale.Shipping = tax.Place{Country: "US", Province: "OR"}, nil
	if got := quote(t, service, q); got.Total != 0 || len(got.Shipping) != 0 {
		t.Errorf("%+v", got)
	}
}

func (s taxServices) testRepeated(t *testing.T) {
	service, conn := s.open(t)
	q := taxQuestion(conn, tax.Added, 1999)
	if first, again := quote(t, service, q), quote(t, service, q); !reflect.DeepEqual(first, again) {
		t.Errorf("first %+v, then %+v", first, again)
	}
}

func (s taxServices) testConcurrent(t *testing.T) {
	service, conn := s.open(t)
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			q := taxQuestion(conn, tax.Added, int64(1+i)*10_000)
			answer, err := service.Quote(context.WithoutCancel(t.Context()), q)
			if err == nil {
				answer, err = q.Rules.Check(q.Sale, answer)
			}
			if err != nil || answer.Lines[0].Taxes[1].Amount.Minor != int64(1+i)*100 {
				t.Errorf("question %d: %+v %v", i, answer, err)
			}
		})
	}
	group.Wait()
}
