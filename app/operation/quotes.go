package operation

import (
	"context"
	"strings"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/quotes"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/address"
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
	orderAmount = collection.Field{
		Name: "orderAmount", Kind: collection.Money, Required: true, Min: collection.Bound(0), Doc: "Amount of the order, in major units.",
	}
	currencyInput = collection.Field{
		Name: "currency", Kind: collection.Text, Doc: "ISO 4217 code of orderAmount; defaults to the market's or the shop's.",
	}
	quoteItemsInput = collection.Field{
		Name: "items", Kind: collection.Array, Doc: "The items of the order, at most 200.", Fields: []collection.Field{
			{Name: "variantId", Kind: collection.Relation, RelationTo: catalog.Variants.Slug, Required: true, Doc: "The variant."},
			{
				Name: "quantity", Kind: collection.Integer, Required: true, Min: collection.Bound(1),
				Max: collection.Bound(cart.MaxQuantity), Doc: "How many units.",
			},
		},
	}

	explainInput = collection.Field{
		Name: "explain", Kind: collection.Boolean, VisibleTo: collection.Staff, Doc: "Whether to include how each amount was calculated.",
	}

	validationFields = []collection.Field{
		{Name: "valid", Kind: collection.Boolean, Required: true, Doc: "Whether the code can be used."},
		{Name: "code", Kind: collection.Text, Required: true, Doc: "The normalized code."},
		{
			Name: "type", Kind: collection.Select, Options: selectOptions(discount.Schema, "type"),
			Doc: "Type of the discount; null when there is no such code.",
		},
		{
			Name: "discountAmount", Kind: collection.Money, Currency: "currency", Required: true,
			Doc: "Amount of the discount; 0 when the code cannot be used.",
		},
		{Name: "freeShipping", Kind: collection.Boolean, Required: true, Doc: "Whether the code waives the base fee of shipping."},
		{Name: "currency", Kind: collection.Text, Required: true, Doc: "ISO 4217 code."},
		{
			Name: "reason", Kind: collection.Select, Options: discount.Reasons, Required: true, OmitMissing: true,
			Doc: "Why the code cannot be used.",
		},
		explanationMember(pricing.ExplanationFields),
	}
	quoteFields = []collection.Field{
		{
			Name: "shippingAmount", Kind: collection.Money, Currency: "currency", Required: true,
			Doc: "Shipping cost: baseFee plus surcharge.",
		},
		{
			Name: "baseFee", Kind: collection.Money, Currency: "currency", Required: true,
			Doc: "The base fee that is due; 0 when it is waived.",
		},
		{Name: "surcharge", Kind: collection.Money, Currency: "currency", Required: true, Doc: "Surcharge of the zone."},
		{Name: "zone", Kind: collection.Text, Doc: "Zone that has the surcharge; null when there is none."},
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
func Quotes(s *quotes.Service) []Operation {
	return []Operation{validateDiscount(s), calculateShipping(s)}
}

func validateDiscount(s *quotes.Service) Operation {
	return Operation{
		Name: "discounts.validate", GraphQL: "discountValidate", Summary: "Validate a discount code",
		Doc: "A code that cannot be used is not an error: the response gives the reason. Discounts that depend on amounts (fixed amounts, minimums, caps, tiers) need a currency or market that matches the discount's; otherwise the reason is discount_context_required. " +
			"Storefront calls are limited to thirty codes a minute per address.",
		Method: "POST", Path: "/discounts/validate", Surfaces: Both,
		Input: []collection.Field{
			{Name: "code", Kind: collection.Text, Required: true, Doc: "The code, in upper or lower case."},
			orderAmount, currencyInput, marketInput, quoteItemsInput,
			{
				Name: "customerId", Kind: collection.Relation, RelationTo: identity.Customers.Slug, VisibleTo: collection.Staff,
				Doc: "The customer whose earlier uses count.",
			},
			explainInput,
		},
		Output:  validationFields,
		Reasons: []*fault.Error{tenant.ErrFeatureDisabled, catalog.ErrMarketNotFound, catalog.ErrVariantUnavailable, fault.ErrRateLimited},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			r := quotes.ValidationRequest{
				Code: in.Text("code"), Amount: in.Amount("orderAmount"), Currency: readCurrency(in), Market: in.Text("market"),
				Items: readQuoteItems(in), Customer: in.Text("customerId"), Explain: in.Boolean(explainInput.Name),
			}
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			v, err := s.ValidateCode(ctx, call, r)
			return respond(validationFields, validationRecord(v), err)
		},
	}
}

func calculateShipping(s *quotes.Service) Operation {
	return Operation{
		Name: "shipping.calculate", GraphQL: "shippingCalculate", Summary: "Calculate the shipping cost",
		Doc:    "The highest base fee among the policies that are not free, plus the highest surcharge. Items that require no shipping are ignored.",
		Method: "POST", Path: "/shipping/calculate", Surfaces: Both,
		Input: []collection.Field{
			{Name: "country", Kind: collection.Text, MaxLength: 2, Doc: "ISO 3166-1 alpha-2 code; the shop's country if missing."},
			{Name: "province", Kind: collection.Text, MaxLength: 100, Doc: "State, province or prefecture, as in an address."},
			{
				Name: "postalCode", Kind: collection.Text, MaxLength: 20,
				Doc: "Postal code as text, where addresses of the country have one: five digits in Korea.",
			},
			orderAmount, currencyInput,
			{
				Name: "policyId", Kind: collection.Relation, RelationTo: shipping.Schema.Slug,
				Doc: "The policy to use instead of the shop's default.",
			},
			quoteItemsInput,
		},
		Output:  quoteFields,
		Reasons: []*fault.Error{tenant.ErrFeatureDisabled, shipping.ErrPostalCode, shipping.ErrUnavailable, catalog.ErrVariantUnavailable},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			r := quotes.ShippingRequest{
				To:     address.Address{Country: in.Text("country"), Province: in.Text("province"), PostalCode: in.Text("postalCode")},
				Amount: in.Amount("orderAmount"), Currency: readCurrency(in),
				Policy: in.Text("policyId"), Items: readQuoteItems(in),
			}
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			q, err := s.QuoteShipping(ctx, call, r)
			return respond(quoteFields, quoteRecord(q), err)
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

// respond answers with r, whose members are declared by fields.
func respond(fields []collection.Field, r collection.Record, err error) (idempotency.Response, error) {
	if err != nil {
		return idempotency.Response{}, err
	}
	return idempotency.Response{Result: ports.ReceiptOK, Body: reply.Of(collection.Staff, reply.Member{Fields: fields, Record: r})}, nil
}

func validationRecord(v quotes.Validation) collection.Record {
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
		"shippingAmount": q.Total, "baseFee": q.BaseFee, "surcharge": q.Surcharge, "freeShipping": q.Free,
		"currency": string(q.Total.Currency),
	}
	if q.Zone != "" {
		r["zone"] = q.Zone
	}
	return r
}
