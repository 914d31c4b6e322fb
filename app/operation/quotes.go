package operation

import (
	"context"
	"strings"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/quotes"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/pricing"
	"github.com/cartwright-dev/cartwright/domain/shipping"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

var (
	orderAmount     = collection.Field{Name: "orderAmount", Kind: collection.Money, Required: true, Min: collection.Bound(0), Doc: "What the order costs, in major units."}
	currencyInput   = collection.Field{Name: "currency", Kind: collection.Text, Doc: "ISO 4217 code of orderAmount; the market's or the shop's when left out."}
	quoteItemsInput = collection.Field{Name: "items", Kind: collection.Array, Doc: "What is ordered: at most 200 items.", Fields: []collection.Field{
		{Name: "variantId", Kind: collection.Relation, RelationTo: catalog.Variants.Slug, Required: true, Doc: "The variant."},
		{Name: "quantity", Kind: collection.Integer, Required: true, Min: collection.Bound(1), Max: collection.Bound(cart.MaxQuantity), Doc: "How many units."},
	}}

	explainInput = collection.Field{Name: "explain", Kind: collection.Boolean, VisibleTo: collection.Staff, Doc: "Whether to include how each amount was calculated."}

	verdictFields = []collection.Field{
		{Name: "valid", Kind: collection.Boolean, Required: true, Doc: "Whether the code can be used."},
		{Name: "code", Kind: collection.Text, Required: true, Doc: "The code in its normal form."},
		{Name: "type", Kind: collection.Select, Options: selectOptions(discount.Schema, "type"), Doc: "What it does; null when there is no such code."},
		{Name: "discountAmount", Kind: collection.Money, Currency: "currency", Required: true, Doc: "What it takes off; 0 when it cannot be used."},
		{Name: "freeShipping", Kind: collection.Boolean, Required: true, Doc: "Whether it waives the base fee of shipping."},
		{Name: "currency", Kind: collection.Text, Required: true, Doc: "ISO 4217 code."},
		{Name: "reason", Kind: collection.Select, Options: discount.Reasons, Required: true, OmitMissing: true, Doc: "Why it cannot be used."},
		explanationMember(pricing.ExplanationFields),
	}
	quoteFields = []collection.Field{
		{Name: "shippingAmount", Kind: collection.Money, Currency: "currency", Required: true, Doc: "What delivery costs: baseFee plus surcharge."},
		{Name: "baseFee", Kind: collection.Money, Currency: "currency", Required: true, Doc: "The base fee that is due; 0 when it is waived."},
		{Name: "surcharge", Kind: collection.Money, Currency: "currency", Required: true, Doc: "What the zone adds."},
		{Name: "zone", Kind: collection.Text, Doc: "The zone that adds it; null for none."},
		{Name: "freeShipping", Kind: collection.Boolean, Required: true, Doc: "Whether no base fee is due."},
		{Name: "currency", Kind: collection.Text, Required: true, Doc: "ISO 4217 code."},
	}
)

// explanationMember is the explanation of each amount, when requested.
func explanationMember(fields []collection.Field) collection.Field {
	return collection.Field{
		Name: "explanation", Kind: collection.Group, Required: true, VisibleTo: collection.Staff, OmitMissing: true, Fields: fields,
		Doc: "How each amount was calculated, if requested.",
	}
}

// Quotes are the operations that compute the effect of discount codes and the price of delivery. Rules
// discounts-10, shipping-4.
func Quotes(e *quotes.Service) []Operation {
	return []Operation{
		{
			Name: "discounts.validate", GraphQL: "discountValidate", Summary: "Validate a discount code",
			Doc: "A code that cannot be used is an answer with a reason. What depends on amounts (fixed amounts, minimums, caps, tiers) needs a currency or market, and it must be the discount's: else discount_context_required. " +
				"A storefront may try thirty codes a minute per address.",
			Method: "POST", Path: "/discounts/validate", Surfaces: Both,
			Input: []collection.Field{
				{Name: "code", Kind: collection.Text, Required: true, Doc: "The code, in any case."},
				orderAmount, currencyInput, marketInput, quoteItemsInput,
				{Name: "customerId", Kind: collection.Relation, RelationTo: identity.Customers.Slug, VisibleTo: collection.Staff, Doc: "Whose uses count."},
				explainInput,
			},
			Output:  verdictFields,
			Reasons: []*fault.Error{tenant.ErrFeatureDisabled, catalog.ErrMarketNotFound, catalog.ErrVariantUnavailable, fault.ErrRateLimited},
			Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
				t := quotes.ValidationRequest{
					Code: in.Text("code"), Amount: in.Amount("orderAmount"), Currency: readCurrency(in), Market: in.Text("market"),
					Items: readQuoteItems(in), Customer: in.Text("customerId"), Explain: in.Boolean(explainInput.Name),
				}
				if err := in.Done(); err != nil {
					return idempotency.Response{}, err
				}
				v, err := e.ValidateCode(ctx, call, t)
				return respond(verdictFields, verdictRecord(v), err)
			},
		},
		{
			Name: "shipping.calculate", GraphQL: "shippingCalculate", Summary: "Calculate the shipping cost",
			Doc:    "The highest base fee among the policies that are not free, plus the highest surcharge. Of items, only those that ship count.",
			Method: "POST", Path: "/shipping/calculate", Surfaces: Both,
			Input: []collection.Field{
				{Name: "postalCode", Kind: collection.Text, Required: true, Doc: "Five digits, as text."},
				orderAmount, currencyInput,
				{Name: "policyId", Kind: collection.Relation, RelationTo: shipping.Schema.Slug, Doc: "The policy to use in place of the shop's default."},
				quoteItemsInput,
			},
			Output:  quoteFields,
			Reasons: []*fault.Error{tenant.ErrFeatureDisabled, shipping.ErrPostalCode, shipping.ErrUnavailable, catalog.ErrVariantUnavailable},
			Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
				p := quotes.ShippingRequest{
					PostalCode: in.Text("postalCode"), Amount: in.Amount("orderAmount"), Currency: readCurrency(in), Policy: in.Text("policyId"), Items: readQuoteItems(in),
				}
				if err := in.Done(); err != nil {
					return idempotency.Response{}, err
				}
				q, err := e.QuoteShipping(ctx, call, p)
				return respond(quoteFields, quoteRecord(q), err)
			},
		},
	}
}

func readCurrency(in *Input) money.Currency {
	return money.Currency(strings.ToUpper(in.Text("currency")))
}

func readQuoteItems(in *Input) (items []quotes.Item) {
	in.Objects("items", func(in *Input) {
		it := quotes.Item{Variant: in.Text("variantId")}
		if n := in.Integer("quantity"); n != nil {
			it.Quantity = *n
		}
		items = append(items, it)
	})
	return items
}

// respond is r as the output declares it.
func respond(fields []collection.Field, r collection.Record, err error) (idempotency.Response, error) {
	if err != nil {
		return idempotency.Response{}, err
	}
	return idempotency.Response{Result: ports.ReceiptOK, Body: reply.Of(collection.Staff, reply.Member{Fields: fields, Record: r})}, nil
}

func verdictRecord(v quotes.Validation) collection.Record {
	r := collection.Record{
		"valid": v.Refusal == nil, "code": v.Code, "discountAmount": money.Of(v.Result.Amount.Minor, v.Currency),
		"freeShipping": v.Result.FreeShipping, "currency": string(v.Currency),
	}
	if v.Discount != nil {
		r["type"] = string(v.Discount.Type)
	}
	if v.Refusal != nil {
		r["reason"] = v.Refusal.Reason
	}
	if v.Explanation != nil {
		r["explanation"] = v.Explanation.Record()
	}
	return r
}

func quoteRecord(q shipping.Quote) collection.Record {
	r := collection.Record{
		"shippingAmount": q.Total, "baseFee": q.BaseFee, "surcharge": q.Surcharge, "freeShipping": q.Free, "currency": string(q.Total.Currency),
	}
	if q.Zone != "" {
		r["zone"] = q.Zone
	}
	return r
}
