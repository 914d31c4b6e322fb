package taxservice

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tax"
	"github.com/cartwright-dev/cartwright/ports"
)

// The bodies of GUIDE.md. Amounts are minor units.
type (
	wireQuestion struct {
		Type        string         `json:"type"` // typeQuestion
		Environment string         `json:"environment"`
		Currency    money.Currency `json:"currency"`
		Prices      tax.Mode       `json:"prices"`
		To          wirePlace      `json:"to"`
		From        wirePlace      `json:"from"`
		Customer    wireCustomer   `json:"customer"`
		Lines       []wireLine     `json:"lines"`
		Shipping    *wireShipping  `json:"shipping"`
	}
	wirePlace struct {
		Country    string `json:"country"`
		Province   string `json:"province"`
		PostalCode string `json:"postalCode"`
		City       string `json:"city"`
		District   string `json:"district"`
		Address1   string `json:"address1"`
	}
	wireCustomer struct {
		ID    string `json:"id"`
		TaxID string `json:"taxId"`
	}
	wireLine struct {
		Key      string    `json:"key"`
		SKU      string    `json:"sku"`
		TaxClass tax.Class `json:"taxClass"`
		Quantity int64     `json:"quantity"`
		Amount   int64     `json:"amount"`
	}
	wireShipping struct {
		TaxClass string `json:"taxClass"`
		Amount   int64  `json:"amount"`
	}

	wireAnswer struct {
		Lines    []wireLineTaxes `json:"lines"`
		Shipping []wireTax       `json:"shipping"`
		Total    *int64          `json:"total"`
	}
	wireLineTaxes struct {
		Key   string    `json:"key"`
		Taxes []wireTax `json:"taxes"`
	}
	wireTax struct {
		Rate         string      `json:"rate"`
		Name         string      `json:"name"`
		Country      string      `json:"country"`
		Jurisdiction string      `json:"jurisdiction"`
		Percent      json.Number `json:"percent"`
		Base         *int64      `json:"base"`
		Amount       *int64      `json:"amount"`
	}
)

const typeQuestion = "tax.calculate"

func encode(q ports.TaxQuestion) ([]byte, error) {
	s := q.Sale
	out := wireQuestion{
		Type: typeQuestion, Environment: string(q.Connection.Environment), Currency: s.Currency, Prices: q.Rules.Mode, To: placeOf(s.Place),
		From: placeOf(s.From), Customer: wireCustomer{s.Buyer.Customer, s.Buyer.TaxID}, Lines: make([]wireLine, len(s.Items)),
	}
	for i, it := range s.Items {
		out.Lines[i] = wireLine{it.Key, it.SKU, tax.ClassOf(string(it.Class)), it.Quantity, it.Amount.Minor}
	}
	if s.Shipping != nil {
		class := q.Rules.Shipping
		if class != tax.Proportional {
			class = string(tax.ClassOf(class))
		}
		out.Shipping = &wireShipping{class, s.Shipping.Minor}
	}
	return json.Marshal(out)
}

func placeOf(p tax.Place) wirePlace {
	return wirePlace{p.Country, p.Province, p.PostalCode, p.City, p.District, p.Street}
}

// decode reads the answer to q. Errors: ports.ErrTaxServiceUnreadable.
func decode(body []byte, q ports.TaxQuestion) (tax.Answer, error) {
	var in wireAnswer
	d := json.NewDecoder(bytes.NewReader(body))
	if err := d.Decode(&in); err != nil {
		return tax.Answer{}, fmt.Errorf("%w: %w", ports.ErrTaxServiceUnreadable, err)
	}
	if in.Total == nil {
		return tax.Answer{}, fmt.Errorf("%w: it has no total", ports.ErrTaxServiceUnreadable)
	}
	prices := make(map[string]int64, len(q.Sale.Items))
	for _, it := range q.Sale.Items {
		prices[it.Key] = it.Amount.Minor
	}
	out := tax.Answer{Source: tax.Service, Total: *in.Total}
	for _, l := range in.Lines {
		taxes, err := taxesOf(l.Taxes, prices[l.Key], q)
		if err != nil {
			return tax.Answer{}, err
		}
		out.Lines = append(out.Lines, tax.LineTaxes{Key: l.Key, Taxes: taxes})
	}
	shipping := int64(0)
	if q.Sale.Shipping != nil {
		shipping = q.Sale.Shipping.Minor
	}
	var err error
	out.Shipping, err = taxesOf(in.Shipping, shipping, q)
	return out, err
}

// taxesOf reads the taxes of what costs price, which is the base of those that say none: without the taxes that it includes.
func taxesOf(in []wireTax, price int64, q ports.TaxQuestion) (out tax.Taxes, err error) {
	base := price
	for _, t := range in {
		if t.Amount == nil {
			return nil, fmt.Errorf("%w: a tax has no amount", ports.ErrTaxServiceUnreadable)
		}
		if q.Rules.Mode == tax.Included {
			base -= *t.Amount
		}
	}
	for _, t := range in {
		a := tax.Amount{Rate: t.Rate, Name: t.Name, Country: t.Country, Jurisdiction: t.Jurisdiction}
		if a.Percent, err = money.ParseDecimal(t.Percent.String()); err != nil {
			return nil, fmt.Errorf("%w: %w", ports.ErrTaxServiceUnreadable, err)
		}
		a.Amount, a.Base = money.Of(*t.Amount, q.Sale.Currency), money.Of(base, q.Sale.Currency)
		if t.Base != nil {
			a.Base.Minor = *t.Base
		}
		out = append(out, a)
	}
	return out, nil
}
