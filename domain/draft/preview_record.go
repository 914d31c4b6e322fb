package draft

import (
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/pricing"
	"github.com/cartwright-dev/cartwright/domain/sale"
)

// unavailableReasons are the reasons for which a line cannot be sold.
var unavailableReasons = fault.Reasons(catalog.ErrVariantUnavailable, catalog.ErrVariantNotPriced, inventory.ErrOutOfStock)

// PreviewFields declares a Preview on the wire; Preview.Record makes it. Rule drafts-5.
var PreviewFields = []collection.Field{
	{Name: "currency", Kind: collection.Text, Required: true, Doc: "ISO 4217 code of all amounts."},
	{Name: "marketId", Kind: collection.Text, Doc: "Id of the market whose prices these are; null: the shop's own prices."},
	collection.Required(amountField("subtotal", "Lines before discounts; those that are not on sale count for nothing.")),
	collection.Required(amountField("discount", "What the terms of lines and the code take off the lines.")),
	amountField("shipping",
		"Shipping: the draft's fee, else by the shop's policies. Null until the postal code is known; 0 when nothing ships."),
	collection.Required(amountField("total", "Subtotal − discount + shipping, and the taxes that are added.")),
	sale.TaxField,
	{Name: "lines", Kind: collection.Array, Required: true, Doc: "The lines at current catalog prices, or by their terms.", Fields: []collection.Field{
		{Name: "id", Kind: collection.Text, Required: true, Doc: "Id of the draft's line."},
		{Name: "variant", Kind: collection.Text, Required: true, Doc: "Id of the variant."},
		{Name: "quantity", Kind: collection.Integer, Required: true, Doc: "Units."},
		amountField("unitPrice", "Price of one unit; null when the variant is not on sale."),
		amountField("subtotal", "Unit price × quantity; null with it."),
		amountField("discount", "What its terms and its share of the code take off; null with the price."),
		amountField("total", "Subtotal − discount; null with the price."),
		{
			Name: "terms", Kind: collection.Group, Fields: sale.SoldTermFields, Required: true, OmitMissing: true,
			Doc: "What the operator agreed for the line, with the reason, what the catalog asks and what they take off; left out where nothing was agreed.",
		},
		{Name: "available", Kind: collection.Boolean, Required: true, Doc: "Whether it could be sold now."},
		{Name: "reason", Kind: collection.Select, Options: unavailableReasons, Required: true, OmitMissing: true, Doc: "Why it could not."},
	}},
	{Name: "unavailable", Kind: collection.Array, Required: true, Doc: "The lines that could not be sold now.", Fields: []collection.Field{
		{Name: "line", Kind: collection.Text, Required: true, Doc: "Id of the draft's line."},
		{Name: "variant", Kind: collection.Text, Required: true, Doc: "Id of the variant."},
		{Name: "reason", Kind: collection.Select, Options: unavailableReasons, Required: true, Doc: "Why it could not."},
		{
			Name: "requested", Kind: collection.Integer, Required: true,
			Doc: "Units that the draft asks for, all its lines of the variant together.",
		},
		{Name: "available", Kind: collection.Integer, Required: true, Doc: "Units available."},
	}},
	{
		Name: "discountCode", Kind: collection.Group, OmitMissing: true, Doc: "The discount code's effect; null without one.",
		Fields: []collection.Field{
			{Name: "code", Kind: collection.Text, Required: true, Doc: "The code."},
			{Name: "valid", Kind: collection.Boolean, Required: true, Doc: "Whether it applies."},
			{Name: "reason", Kind: collection.Select, Options: discount.Reasons, Doc: "Why it does not; null when it does."},
		},
	},
	{
		Name: "explanation", Kind: collection.Group, Required: true, OmitMissing: true, Fields: pricing.ExplanationFields,
		Doc: "How each amount was calculated, if requested.",
	},
}

// Record is p as a record of PreviewFields.
func (p Preview) Record() collection.Record {
	r := collection.Record{
		"currency": string(p.Total.Currency), "marketId": collection.TextOrNull(p.Market), "subtotal": p.Subtotal, "discount": p.Discount,
		"total": p.Total,
	}
	if p.Shipping != nil {
		r["shipping"] = *p.Shipping
	}
	if p.Taxes != nil {
		r["taxes"] = p.Taxes.Record()
	}
	lines := make([]collection.Record, len(p.Lines))
	for i, q := range p.Lines {
		lines[i] = q.record()
	}
	lacks := make([]collection.Record, len(p.Unavailable))
	for i, l := range p.Unavailable {
		lacks[i] = collection.Record{
			"line": l.ID, "variant": l.Variant, "reason": l.Reason, "requested": l.Requested, "available": l.Available,
		}
	}
	r["lines"], r["unavailable"], r["discountCode"] = lines, lacks, nil
	if c := p.Code; c != nil {
		code := collection.Record{"code": c.Code, "valid": c.Applied}
		if !c.Applied {
			code["reason"] = c.Reason
		}
		r["discountCode"] = code
	}
	if p.Explanation != nil {
		r["explanation"] = p.Explanation.Record()
	}
	return r
}

func (q PricedLine) record() collection.Record {
	r := collection.Record{"id": q.ID, "variant": q.Variant, "quantity": q.Quantity, "available": q.Reason == ""}
	if q.Reason != "" {
		r["reason"] = q.Reason
	}
	if q.Priced {
		r["unitPrice"], r["subtotal"], r["discount"], r["total"] = q.UnitPrice, q.Subtotal, q.Discount, q.Total
	}
	if q.Terms != nil {
		r["terms"] = sale.TermsRecord(*q.Terms)
	}
	return r
}
