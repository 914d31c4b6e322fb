package operation

import "github.com/cartwright-dev/cartwright/domain/collection"

// said is a text of an action.
func said(name, doc string) collection.Field {
	return collection.Field{Name: name, Kind: collection.Text, Required: true, Doc: doc}
}

// constant is a text of an action that is always the same.
func constant(name, value, doc string) collection.Field {
	return collection.Field{Name: name, Kind: collection.Select, Options: []string{value}, Required: true, Doc: doc}
}

// widgetAction is what a browser hands to a provider's widget. Contract 8.
var widgetAction = []collection.Field{
	constant("type", "widget", "What sort of action it is."),
	constant("version", "widget_v1", "Which form it has."),
	said("provider", "Whose widget takes it."),
	said("clientKey", "The provider's key for browsers."),
	said("customerKey", "Whom the provider takes the buyer for; nobody can guess it."),
	said("orderId", "The provider's name of the payment; the confirmation repeats it."),
	said("orderName", "What the provider shows to the buyer."),
	{Name: "amount", Kind: collection.Group, Required: true, Fields: moneyFields, Doc: "What is to be paid; the confirmation repeats it."},
	said("successUrl", "Where the buyer returns after approving."),
	said("failUrl", "Where the buyer returns otherwise."),
}

// standardAction is the arguments of requestPayment in the browser. Spec 4.6, Contract 8.
var standardAction = []collection.Field{
	constant("type", "requestPayment", "What sort of action it is."),
	constant("version", "standard_v2", "Which form it has."),
	said("storeId", "The shop at the provider."),
	said("channelKey", "The channel at the provider."),
	said("paymentId", "The payment, by 6 to 40 ASCII letters and digits; it never changes."),
	said("orderName", "What the provider shows to the buyer."),
	{Name: "totalAmount", Kind: collection.Integer, Required: true, Doc: "What is to be paid, in won."},
	constant("currency", "CURRENCY_KRW", "The currency, as the provider's program spells it."),
	constant("payMethod", "CARD", "How it is paid."),
	said("redirectUrl", "Where the buyer returns. Coming back proves nothing: retrieve the session."),
	{Name: "customer", Kind: collection.Group, Required: true, Doc: "Who pays.", Fields: []collection.Field{
		said("fullName", "The buyer's name; may be empty."), said("email", "The buyer's email; may be empty."),
	}},
}
