package operation

import "github.com/cartwright-dev/cartwright/domain/collection"

// textMember is a text member of an action.
func textMember(name, doc string) collection.Field {
	return collection.Field{Name: name, Kind: collection.Text, Required: true, Doc: doc}
}

// constantMember is a text member of an action with a constant value.
func constantMember(name, value, doc string) collection.Field {
	return collection.Field{Name: name, Kind: collection.Select, Options: []string{value}, Required: true, Doc: doc}
}

// widgetAction is the input of a provider's widget in the browser. Rule payments-1.
var widgetAction = []collection.Field{
	constantMember("type", "widget", "Type of the action."),
	constantMember("version", "widget_v1", "Version of the action's shape."),
	textMember("provider", "The provider whose widget takes it."),
	textMember("clientKey", "The provider's key for browsers."),
	textMember("customerKey", "An unguessable id of the buyer at the provider."),
	textMember("orderId", "The provider's name of the payment; the confirmation repeats it."),
	textMember("orderName", "What the provider shows to the buyer."),
	{Name: "amount", Kind: collection.Group, Required: true, Fields: moneyFields, Doc: "The amount to pay; the confirmation repeats it."},
	textMember("successUrl", "Where the buyer returns after approving."),
	textMember("failUrl", "Where the buyer returns after declining or leaving."),
}

// standardAction is the input of requestPayment in the browser. Rule payments-11.
var standardAction = []collection.Field{
	constantMember("type", "requestPayment", "Type of the action."),
	constantMember("version", "standard_v2", "Version of the action's shape."),
	textMember("storeId", "The shop at the provider."),
	textMember("channelKey", "The channel at the provider."),
	textMember("paymentId", "The payment, by 6 to 40 ASCII letters and digits; it never changes."),
	textMember("orderName", "What the provider shows to the buyer."),
	{Name: "totalAmount", Kind: collection.Integer, Required: true, Doc: "What is to be paid, in won."},
	constantMember("currency", "CURRENCY_KRW", "The currency, as the provider's SDK spells it."),
	constantMember("payMethod", "CARD", "How it is paid."),
	textMember("redirectUrl", "Where the buyer returns. Coming back proves nothing: retrieve the session."),
	{Name: "customer", Kind: collection.Group, Required: true, Doc: "The buyer.", Fields: []collection.Field{
		textMember("fullName", "The buyer's name; may be empty."), textMember("email", "The buyer's email; may be empty."),
	}},
}
