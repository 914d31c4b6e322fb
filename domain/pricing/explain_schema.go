package pricing

import (
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/tax"
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

func flag(name, doc string) collection.Field {
	return collection.Field{Name: name, Kind: collection.Boolean, Required: true, Doc: doc}
}

func list(name, doc string, fields ...collection.Field) collection.Field {
	return collection.Field{Name: name, Kind: collection.Array, Required: true, Doc: doc, Fields: fields}
}

// ExplanationFields declares an Explanation on the wire; Explanation.Record makes it. Exact values are text:
// a decimal in major units with all its digits.
var ExplanationFields = []collection.Field{
	collection.Required(text("currency", "ISO 4217 code of every amount, but for base.")),
	collection.Required(text("rounding", "The shop's rounding mode.")),
	text("market", "The market whose prices apply; null without one."),
	{Name: "pricedAt", Kind: collection.Date, Required: true, Doc: "When prices and codes were looked up."},
	list("lines", "How each line came to its totals: the price times quantity, less what an operator agreed and the shares of the codes.",
		text("line", "Id of the line; null for one that is in no cart."), text("variant", "The variant; null for what is not known."),
		collection.Field{Name: "quantity", Kind: collection.Integer, Required: true, Doc: "Units."},
		flag("requiresShipping", "Whether the line counts toward thresholds of shipping."),
		collection.Field{
			Name: "price", Kind: collection.Group, Required: true, Doc: "How the unit price was calculated.", Fields: priceFields,
		},
		collection.Required(amount("subtotal", "Price times quantity.")),
		collection.Required(amount("discount", "What an operator agreed to take off, and the shares of all codes.")),
		collection.Required(amount("agreedDiscount", "What of it an operator agreed.")),
		collection.Required(amount("total", "Subtotal minus discount.")),
		taxRates("taxes", "Its taxes; left out where none are computed.", true),
	),
	list("discountCodes", "What became of each code, in the order they apply.", codeExplanationFields...),
	{
		Name: "shipping", Kind: collection.Group, Required: true, OmitMissing: true,
		Doc: "How the shipping was calculated; left out when there is none.", Fields: shippingFields,
	},
	{
		Name: "taxes", Kind: collection.Group, Required: true, OmitMissing: true,
		Doc: "How the taxes were computed; left out where none are.", Fields: taxFields,
	},
	{Name: "totals", Kind: collection.Group, Required: true, Doc: "The sums.", Fields: []collection.Field{
		collection.Required(amount("subtotal", "Sum of the lines.")), collection.Required(amount("discount", "Sum of the lines' discounts.")),
		collection.Required(amount("total", "Subtotal minus discount, plus shipping where it was priced, plus the taxes that are added.")),
	}},
}

// taxRates declares tax.Taxes.
func taxRates(name, doc string, omit bool) collection.Field {
	return collection.Field{Name: name, Kind: collection.Array, Required: true, OmitMissing: omit, Doc: doc, Fields: tax.AmountFields}
}

var taxFields = []collection.Field{
	collection.Required(text("mode", "included in the prices, or added to them.")),
	collection.Required(text("rounded", "What is rounded once: the taxes of each line, or those of each rate in total.")),
	collection.Required(text("rounding", "How.")),
	collection.Required(text("shippingTax", "How shipping is taxed: by a class, or proportional to the goods.")),
	text("country", "The country whose rates apply; null where none is known."),
	text("province", "The province of it; null where none is known."),
	text("postalCode", "The postal code; null where none is known."),
	flag("estimated", "Whether no address is known yet, so that the market's country counts."),
	flag("exempt", "Whether the buyer pays no taxes."),
	collection.Required(amount("amount", "All taxes.")),
	taxRates("rates", "The sums of each rate, in the order in which they apply.", false),
	taxRates("shipping", "Those of shipping.", false),
}

var priceFields = []collection.Field{
	collection.Required(text("source",
		"fixed; computed from the base price for a market; kept: the last price of what cannot be bought any more; stated: the caller says so; agreed: by an operator with the buyer.")),
	{
		Name: "base", Kind: collection.Money, Currency: "baseCurrency",
		Doc: "The variant's price, else the product's; null where nothing was computed.",
	},
	text("baseCurrency", "Currency of base."),
	number("productDiscount", "Percent off by the product."),
	number("exchangeRate", "Units of the market for one of base; null without a market."),
	number("adjustmentPercent", "What the market adds in percent; null without one."),
	amount("roundingIncrement", "The price is rounded to a multiple of this."),
	text("unrounded", "The exact price before rounding."),
	collection.Required(amount("amount", "What one unit costs.")),
}

var codeExplanationFields = []collection.Field{
	collection.Required(text("code", "The code.")), text("discount", "Id of the discount; null when there is no such code."),
	flag("applied", "Whether it takes effect."), text("reason", "Why it does not."),
	list("rules", "Each rule that was looked at, up to the first that was missed.",
		collection.Required(text("rule", "The rule: "+ruleNames()+".")), flag("passed", "Whether it was met."),
		text("got", "What the order has."), text("wanted", "What the rule asks for: a limit, a list of markets, the lowest tier."),
	),
	text("type", "How value is meant: percentage, fixed_amount or free_shipping; of a tier, the tier's."),
	number("value", "Percent, or major units."),
	amount("tierFrom", "Where the tier that counts begins."),
	amount("eligible", "What the code may take from its lines together."),
	text("unrounded", "The exact discount before rounding."),
	amount("rounded", "The same, rounded once."),
	amount("cap", "The most it may take; null without a cap."),
	collection.Required(amount("amount", "The least of rounded, cap and eligible: what it takes.")),
	flag("freeShipping", "Whether it waives the base fee of shipping."),
	list("lines", "How the amount is spread over the eligible lines.",
		text("line", "Id of the line; null for one that is in no cart."), text("variant", "The variant; null for what is not known."),
		collection.Required(amount("eligible", "What the line cost before this code.")),
		collection.Required(amount("share", "What it bears.")),
	),
}

func ruleNames() string {
	return string(discount.RuleExists + ", " + discount.RuleActive + ", " + discount.RuleStart + ", " + discount.RuleEnd + ", " +
		discount.RuleUsageLimit + ", " + discount.RuleCustomerLimit + ", " +
		discount.RuleMarket + ", " + discount.RuleCurrency + ", " + discount.RuleMinimum + ", " + discount.RuleApplicable + ", " +
		discount.RuleTier + ", " + discount.RuleCombinable)
}

var shippingFields = []collection.Field{
	text("country", "Where it goes; null: unknown."), text("province", "The province; null for none."), text("postalCode", "The postal code; null for none."),
	collection.Required(amount("amount", "What thresholds were held against: the lines that ship, after discounts.")),
	flag("freeShippingCode", "Whether a code waives the base fee."),
	list("policies", "What each policy asks; the highest base fee and the highest surcharge count.",
		collection.Required(text("policy", "Id of the policy.")), collection.Required(amount("baseFee", "Its base fee.")),
		amount("freeFrom", "Its threshold; null when it has none."), flag("reached", "Whether the threshold is reached."),
		flag("free", "Whether no base fee is due."), text("zone", "The zone that holds the address; null for none."),
		text("rangeFrom", "First code of the range that does."), text("rangeTo", "Its last code."),
		collection.Required(amount("extraFee", "Surcharge of the zone.")),
		flag("waived", "Whether the surcharge falls away with the base fee."),
	),
	collection.Required(amount("baseFee", "The base fee that is due.")),
	collection.Required(amount("surcharge", "The surcharge that is due.")),
	text("zone", "The zone it comes from."), collection.Required(amount("total", "Both together.")),
}
