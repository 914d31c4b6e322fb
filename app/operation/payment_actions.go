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
	textMember("provider", "The provider of the widget."),
	textMember("clientKey", "The provider's key for browsers."),
	textMember("customerKey", "An unguessable id of the buyer at the provider."),
	textMember("orderId", "Id of the payment at the provider; the confirmation repeats it."),
	textMember("orderName", "Description that the provider shows to the buyer."),
	{Name: "amount", Kind: collection.Group, Required: true, Fields: moneyFields, Doc: "The amount to pay; the confirmation repeats it."},
	{
		Name: "setAmount", Kind: collection.Group, OmitMissing: true, Doc: "The argument of setAmount of the SDK; only of Toss Payments.",
		Fields: []collection.Field{
			{Name: "value", Kind: collection.Money, Currency: "currency", Required: true, Doc: "The amount to pay, in major units."},
			{Name: "currency", Kind: collection.Text, Required: true, Doc: "ISO 4217 code."},
		},
	},
	{
		Name: "taxFreeAmount", Kind: collection.Number, OmitMissing: true,
		Doc: "The part of the amount without value added tax, in major units, to be passed on to the SDK's requestPayment; missing without such a part.",
	},
	textMember("successUrl", "URL to which the buyer returns after approving the payment."),
	textMember("failUrl", "URL to which the buyer returns after declining or leaving."),
}

// cashReceiptMember is the cash receipt of a method, should the buyer pay by it.
func cashReceiptMember(method, of string) collection.Field {
	return collection.Field{
		Name: method, Kind: collection.Group, OmitMissing: true, Doc: of + ": the cash receipt that the buyer asked for; missing without one.",
		Fields: []collection.Field{
			{Name: "cashReceiptType", Kind: collection.Select, Options: []string{"PERSONAL", "CORPORATE"}, Required: true, Doc: "What it is for."},
			textMember("customerIdentifier", "The number to issue it under."),
		},
	}
}

// standardAction is the input of requestPayment in the browser. Rule payments-11.
var standardAction = []collection.Field{
	constantMember("type", "requestPayment", "Type of the action."),
	constantMember("version", "standard_v2", "Version of the action's shape."),
	textMember("storeId", "Id of the shop at the provider."),
	textMember("channelKey", "Key of the channel at the provider."),
	textMember("paymentId", "Id of the payment: 6 to 40 ASCII letters and digits. It never changes."),
	textMember("orderName", "Description that the provider shows to the buyer."),
	{Name: "totalAmount", Kind: collection.Integer, Required: true, Doc: "The amount to pay, in won."},
	{
		Name: "taxFreeAmount", Kind: collection.Integer, OmitMissing: true,
		Doc: "The part of totalAmount without value added tax, in won; missing without such a part, or where the provider is not told.",
	},
	{
		Name: "vatAmount", Kind: collection.Integer, OmitMissing: true,
		Doc: "The value added tax in the rest of totalAmount, in won; together with taxFreeAmount.",
	},
	constantMember("currency", "CURRENCY_KRW", "The currency, as the provider's SDK spells it."),
	constantMember("payMethod", "CARD", "The payment method."),
	textMember("redirectUrl", "URL to which the buyer returns. A return does not prove that the payment succeeded: retrieve the session."),
	{
		Name: "productType", Kind: collection.Select, Options: []string{"PRODUCT_TYPE_REAL", "PRODUCT_TYPE_DIGITAL"}, OmitMissing: true,
		Doc: "Whether anything that is paid is delivered; only where the provider takes it.",
	},
	cashReceiptMember("transfer", "Of a payment by transfer"), cashReceiptMember("virtualAccount", "Of a payment to a virtual account"),
	{Name: "customer", Kind: collection.Group, Required: true, Doc: "The buyer.", Fields: []collection.Field{
		textMember("fullName", "The buyer's name; may be empty."), textMember("email", "The buyer's email; may be empty."),
		textMember("phoneNumber", "The buyer's phone number; may be empty."),
	}},
}
