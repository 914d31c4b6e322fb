package repricing

import (
	"github.com/cartwright-dev/cartwright/app/bulk"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
)

// price is one price that is there, and what it becomes.
type price struct {
	schema           *collection.Schema
	record           collection.Record
	product, variant string // ids; no variant: the price of the product
	label            string // of a variant, or the name of the product
	from, to         money.Money
	refusal          *fault.Error // it cannot be changed
	result           *bulk.Result // nil: not written
	gone             string       // id of a price that was expected and is not there
}

// PriceFields are the members of a price in an answer.
var PriceFields = append([]collection.Field{
	{
		Name: "collection", Kind: collection.Select, Required: true, Doc: "Whose price it is.",
		Options: []string{catalog.Products.Slug, catalog.Variants.Slug, catalog.MarketPrices.Slug},
	},
	{Name: "product", Kind: collection.Text, Doc: "Id of the product."},
	{Name: "variant", Kind: collection.Text, Doc: "Id of the variant; null for the price of the product."},
	{Name: "title", Kind: collection.Text, Doc: "Title of the variant, or name of the product."},
	{Name: "from", Kind: collection.Money, Doc: "The price before."},
	{Name: "to", Kind: collection.Money, Doc: "The price after."},
}, bulk.ResultFields...)

// slug is the collection of the record with the price.
func (p *price) slug() string {
	if p.schema == nil {
		return catalog.Variants.Slug
	}
	return p.schema.Slug
}

// member is the field with the price.
func (p *price) member() string {
	if p.schema == catalog.MarketPrices {
		return "amount"
	}
	return "price"
}

func (p *price) status() bulk.Status {
	switch {
	case p.result != nil:
		return p.result.Status
	case p.refusal != nil:
		return bulk.Refused
	case p.from == p.to:
		return bulk.Unchanged
	}
	return bulk.Updated
}

// object is the price as it is answered.
func (p *price) object() reply.Object {
	o := reply.Object{
		{Name: "collection", Value: p.slug()}, {Name: "product", Value: textOrNull(p.product)}, {Name: "variant", Value: textOrNull(p.variant)},
		{Name: "title", Value: textOrNull(p.label)}, {Name: "from", Value: amountOrNull(p.from)}, {Name: "to", Value: amountOrNull(p.to)},
	}
	if p.result != nil {
		return append(o, reply.Member{Value: p.result.Text})
	}
	id := p.gone
	var revision any
	if p.record != nil {
		id, revision = p.record.ID(), p.record.Revision()
	}
	return append(o, reply.Member{Value: bulk.Describe(id, p.status(), revision, p.refusal)})
}

func textOrNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

func amountOrNull(m money.Money) any {
	if m.Currency == "" {
		return nil
	}
	return collection.JSONNumber(m.Major())
}
