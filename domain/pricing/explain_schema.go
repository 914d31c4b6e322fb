package pricing

import (
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/discount"
)

func text(name, doc string) collection.Field {
	return collection.Field{Name: name, Kind: collection.Text, Doc: doc}
}

func amount(name, doc string) collection.Field {
	return collection.Field{Name: name, Kind: collection.Money, Currency: "currency", Doc: doc}
}

func number(name, doc string) collection.Field {
	return collection.Field{Name: name, Kind: collection.Number, Doc: doc}
}

func always(f collection.Field) collection.Field {
	f.Required = true
	return f
}

func flag(name, doc string) collection.Field {
	return collection.Field{Name: name, Kind: collection.Boolean, Required: true, Doc: doc}
}

func list(name, doc string, fields ...collection.Field) collection.Field {
	return collection.Field{Name: name, Kind: collection.Array, Required: true, Doc: doc, Fields: fields}
}

// ExplanationFields is an Explanation on the wire; Explanation.Record makes it. What is exact stands as text: a decimal
// in major units with as many digits as it has.
var ExplanationFields = []collection.Field{
	always(text("currency", "ISO 4217 code of every amount, but for base.")),
	always(text("rounding", "The shop's rounding mode.")),
	text("market", "The market whose prices apply; null without one."),
	{Name: "pricedAt", Kind: collection.Date, Required: true, Doc: "When prices and codes were looked at."},
	list("lines", "How each line came to its totals: the price times quantity, less the shares of the codes.",
		text("line", "Id of the line; null for one that is in no cart."), text("variant", "The variant; null for what is not known."),
		collection.Field{Name: "quantity", Kind: collection.Integer, Required: true, Doc: "Units."},
		flag("requiresShipping", "Whether the line counts toward thresholds of shipping."),
		collection.Field{Name: "price", Kind: collection.Group, Required: true, Doc: "How one unit came to its price.", Fields: priceFields},
		always(amount("subtotal", "Price times quantity.")), always(amount("discount", "Shares of all codes.")), always(amount("total", "Subtotal minus discount.")),
	),
	list("discountCodes", "What became of each code, in the order they apply.", codeExplanationFields...),
	{Name: "shipping", Kind: collection.Group, Required: true, Sparse: true, Doc: "How the shipping came about; left out where none was priced.", Fields: shippingFields},
	{Name: "totals", Kind: collection.Group, Required: true, Doc: "The sums.", Fields: []collection.Field{
		always(amount("subtotal", "Sum of the lines.")), always(amount("discount", "Sum of the codes.")), always(amount("total", "Subtotal minus discount, plus shipping where it was priced.")),
	}},
}

var priceFields = []collection.Field{
	always(text("source", "fixed; computed from the base price for a market; kept: the last price of what cannot be bought any more; stated: the caller says so.")),
	{Name: "base", Kind: collection.Money, Currency: "baseCurrency", Doc: "The variant's price, else the product's; null where nothing was computed."},
	text("baseCurrency", "Currency of base."),
	number("productDiscount", "Percent off by the product."),
	number("exchangeRate", "Units of the market for one of base; null without a market."),
	number("adjustmentPercent", "What the market adds in percent; null without one."),
	amount("roundingIncrement", "The price is rounded to a multiple of this."),
	text("unrounded", "The exact price before rounding."),
	always(amount("amount", "What one unit costs.")),
}

var codeExplanationFields = []collection.Field{
	always(text("code", "The code.")), text("discount", "Id of the discount; null when there is no such code."),
	flag("applied", "Whether it takes effect."), text("reason", "Why it does not."),
	list("rules", "Each rule that was looked at, up to the first that was missed.",
		always(text("rule", "The rule: "+ruleNames()+".")), flag("passed", "Whether it was met."),
		text("got", "What the order has."), text("wanted", "What the rule asks for: a limit, a list of markets, the lowest tier."),
	),
	text("type", "How value is meant: percentage, fixed_amount or free_shipping; of a tier, the tier's."),
	number("value", "Percent, or major units."),
	amount("tierFrom", "Where the tier that counts begins."),
	amount("eligible", "What the code may take from its lines together."),
	text("unrounded", "The exact discount before rounding."),
	amount("rounded", "The same, rounded once."),
	amount("cap", "The most it may take; null without a cap."),
	always(amount("amount", "The least of rounded, cap and eligible: what it takes.")),
	flag("freeShipping", "Whether it waives the base fee of shipping."),
	list("lines", "How the amount is spread over the eligible lines.",
		text("line", "Id of the line; null for one that is in no cart."), text("variant", "The variant; null for what is not known."),
		always(amount("eligible", "What the line cost before this code.")), always(amount("share", "What it bears.")),
	),
}

func ruleNames() string {
	return string(discount.Known + ", " + discount.Switch + ", " + discount.Start + ", " + discount.End + ", " + discount.Usage + ", " + discount.CustomerUsage + ", " +
		discount.Market + ", " + discount.Context + ", " + discount.Minimum + ", " + discount.Target + ", " + discount.Step + ", " + discount.Combination)
}

var shippingFields = []collection.Field{
	always(text("postalCode", "Where it goes.")),
	always(amount("amount", "What thresholds were held against: the lines that ship, after discounts.")),
	flag("freeShippingCode", "Whether a code waives the base fee."),
	list("policies", "What each policy asks; the highest base fee and the highest surcharge count.",
		always(text("policy", "Id of the policy.")), always(amount("baseFee", "Its base fee.")),
		amount("freeFrom", "Its threshold; null when it has none."), flag("reached", "Whether the threshold is reached."), flag("free", "Whether no base fee is due."),
		text("zone", "The zone that holds the postal code; null for none."), text("rangeFrom", "First code of the range that does."), text("rangeTo", "Its last code."),
		always(amount("extraFee", "Surcharge of the zone.")), flag("waived", "Whether the surcharge falls away with the base fee."),
	),
	always(amount("baseFee", "The base fee that is due.")), always(amount("surcharge", "The surcharge that is due.")),
	text("zone", "The zone it comes from."), always(amount("total", "Both together.")),
}
