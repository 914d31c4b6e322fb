package repricing

import (
	"strings"

	"github.com/cartwright-dev/cartwright/app/bulk"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/ports"
)

// encodePlan writes two lines for each price: what it is and becomes, and its result if it is not to be written. JSON has no
// line breaks of its own.
func encodePlan(prices []price) []byte {
	var text []byte
	for i := range prices {
		facts := prices[i].object()
		last := len(facts) - 1
		result, _ := facts[last].Value.(reply.JSON)
		text = append(append(facts[:last].Append(text, collection.Staff), '\n'), result...)
		text = append(text, '\n')
	}
	return text
}

// storedPlan reads what encodePlan wrote.
func (s *Service) storedPlan(c idempotency.Call, stored ports.Receipt, currency money.Currency) (prices []price, err error) {
	answer, err := c.Replay(stored)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimSuffix(answer.Body.String(), "\n"), "\n")
	for i := 0; i+1 < len(lines); i += 2 {
		p, err := decodePrice(lines[i], lines[i+1], currency)
		if err != nil {
			return nil, err
		}
		prices = append(prices, p)
	}
	return prices, nil
}

func decodePrice(facts, result string, currency money.Currency) (p price, err error) {
	is, err := reply.ParseObject([]byte(facts))
	if err != nil {
		return p, err
	}
	became, err := reply.ParseObject([]byte(result))
	if err != nil {
		return p, err
	}
	slug, _ := is["collection"].(string)
	for _, schema := range []*collection.Schema{catalog.Products, catalog.Variants, catalog.MarketPrices} {
		if schema.Slug == slug {
			p.schema = schema
		}
	}
	p.product, _ = is["product"].(string)
	p.variant, _ = is["variant"].(string)
	p.label, _ = is["title"].(string)
	for name, to := range map[string]*money.Money{"from": &p.from, "to": &p.to} {
		if n, isNumber := is[name].(collection.JSONNumber); isNumber {
			if *to, err = money.Parse(string(n), currency); err != nil {
				return p, err
			}
		}
	}
	status, _ := became["status"].(string)
	if bulk.Status(status) != bulk.Updated {
		p.result = &bulk.Result{Status: bulk.Status(status), Text: reply.JSON(result)}
		return p, nil
	}
	revision, err := collection.ReadRevision(collection.RevisionName, became[collection.RevisionName])
	p.record = collection.Record{"id": became["id"]}.WithSequence(revision)
	return p, err
}
