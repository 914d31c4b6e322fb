package mail

import "slices"

// Type is what a variable holds, and so how it is written.
type Type string

// The types. The Go values of facts are those of collection.Record for the kind in brackets.
const (
	TypeText    Type = "text"    // as it is (Text)
	TypeNumber  Type = "number"  // a whole number (Integer)
	TypeMoney   Type = "money"   // with its currency, as readers of the language write it (Money)
	TypeDate    Type = "date"    // a day in the shop's time zone (Date)
	TypeTime    Type = "time"    // a day and hour in the shop's time zone (Date)
	TypeURL     Type = "url"     // an https address (Text)
	TypeBoolean Type = "boolean" // for sections alone: {{#partial}}…{{/partial}} (Boolean)
	TypeList    Type = "list"    // for sections, which repeat for each item, and as a table of its own (Array)
	TypeBlock   Type = "block"   // a table or lines that are made from other facts, on a line of its own
)

// Types are all types, as options of a field.
var Types = []string{
	string(TypeText), string(TypeNumber), string(TypeMoney), string(TypeDate), string(TypeTime), string(TypeURL), string(TypeBoolean),
	string(TypeList), string(TypeBlock),
}

// Variable is a fact that templates of a kind can tell.
type Variable struct {
	Name   string
	Doc    string // one sentence
	Type   Type
	Fields []Variable // what each item of a list has; else nil

	retired bool // says nothing: a template of an older version may name it
}

var (
	itemVariables = []Variable{
		{Name: "title", Type: TypeText, Doc: "Name of the product."},
		{Name: "options", Type: TypeText, Doc: "Which variant it is, such as its size."},
		{Name: "quantity", Type: TypeNumber, Doc: "How many."},
		{Name: "amount", Type: TypeMoney, Doc: "What these units cost, after discounts."},
	}

	goods = Variable{Name: "lines", Type: TypeList, Fields: itemVariables, Doc: "The goods, as a table or one by one."}

	taxVariables = []Variable{
		{Name: "tax", Type: TypeText, Doc: "Name of the tax."},
		{Name: "percent", Type: TypeText, Doc: "Its percentage, without the sign."},
		{Name: "amount", Type: TypeMoney, Doc: "What it comes to."},
		{Name: "included", Type: TypeBoolean, Doc: "Whether the prices contain it; else it is added to them."},
	}

	shopVariables = []Variable{
		{Name: "shopName", Type: TypeText, Doc: "Name of the shop."},
		{Name: "name", Type: TypeText, Doc: "Name of who gets the mail."},
	}

	// checkoutVariables are told of what becomes an order when it is paid, as of an order.
	checkoutVariables = with(shopVariables,
		Variable{Name: "orderNumber", Type: TypeText, Doc: "Number of the order."},
		goods,
		Variable{Name: "subtotal", Type: TypeMoney, Doc: "What all goods of the order cost before discounts."},
		Variable{Name: "discount", Type: TypeMoney, Doc: "What discounts took off."},
		Variable{Name: "shipping", Type: TypeMoney, Doc: "What delivery costs."},
		Variable{Name: "taxes", Type: TypeList, Fields: taxVariables, Doc: "The taxes of the order, as a table or one by one."},
		Variable{Name: "total", Type: TypeMoney, Doc: "What the order came to."},
		Variable{Name: "totals", Type: TypeBlock, Doc: "The sums of the order, from the goods to the total."},
		Variable{Name: "address", Type: TypeBlock, Doc: "Where the goods go."},
	)

	orderVariables = with(checkoutVariables,
		Variable{Name: "orderDate", Type: TypeDate, Doc: "Day of the order."},
		Variable{Name: "orderUrl", Type: TypeURL, Doc: "Page of the order in the shop, where it has one."},
	)

	linkVariables = []Variable{
		{Name: "url", Type: TypeURL, Doc: "The personal link. It works once."},
		{Name: "expiresAt", Type: TypeTime, Doc: "Until when the link works."},
	}

	returnVariables = with(orderVariables,
		Variable{Name: "refundAmount", Type: TypeMoney, Doc: "What is given back, as far as it is known."},
	)
)

// ofKind are the variables by kind.
var ofKind = map[Kind][]Variable{
	OrderPlaced: orderVariables,
	PaymentWaiting: with(checkoutVariables,
		Variable{Name: "amountDue", Type: TypeMoney, Doc: "What is to be paid."},
		Variable{Name: "dueAt", Type: TypeTime, Doc: "Until when."},
		Variable{Name: "bank", Type: TypeText, Doc: "Bank of the account."},
		Variable{Name: "accountNumber", Type: TypeText, Doc: "Number of the account."},
		Variable{Name: "accountHolder", Type: TypeText, Doc: "Holder of the account."},
		Variable{Name: "instructions", Type: TypeBlock, Doc: "How to pay: bank, account, amount and day."},
	),
	PaymentReceived: with(orderVariables,
		Variable{Name: "paidAmount", Type: TypeMoney, Doc: "What was paid."},
	),
	OrderShipped: with(orderVariables,
		Variable{Name: "carrier", Type: TypeText, Doc: "Who delivers."},
		Variable{Name: "trackingNumber", Type: TypeText, Doc: "Number of the parcel."},
		Variable{Name: "trackingUrl", Type: TypeURL, Doc: "Page of the carrier about the parcel, where it has one."},
		Variable{Name: "tracking", Type: TypeBlock, Doc: "Carrier and number of the parcel."},
		Variable{Name: "partial", Type: TypeBoolean, Doc: "Whether something of the order is in other parcels."},
	),
	OrderCanceled: with(orderVariables,
		Variable{Name: "refundAmount", Type: TypeMoney, Doc: "What is given back."},
		Variable{Name: "partial", Type: TypeBoolean, Doc: "Whether something of the order remains."},
	),
	RefundMade: with(orderVariables,
		Variable{Name: "refundAmount", Type: TypeMoney, Doc: "What is given back."},
	),
	ReturnRequested: returnVariables,
	ReturnApproved: with(returnVariables,
		Variable{Name: "returnAddress", Type: TypeBlock, Doc: "Where the goods are to be sent."},
	),
	ReturnRejected: with(returnVariables,
		Variable{Name: "reason", Type: TypeText, Doc: "What the shop said about it."},
	),
	ReturnReceived: returnVariables,
	Invitation: slices.Concat(shopVariables, linkVariables, []Variable{
		{Name: "inviter", Type: TypeText, Doc: "Who invites."},
		{Name: "platform", Type: TypeBoolean, Doc: "Whether it is to run the whole installation, with all of its shops."},
	}),
	PasswordReset:     slices.Concat(shopVariables, linkVariables),
	EmailVerification: slices.Concat(shopVariables[:1], linkVariables), // nobody has proven yet that who wrote a name has the address
	Notice: with(shopVariables,
		Variable{Name: "title", Type: TypeText, Doc: "What happened."},
		Variable{Name: "text", Type: TypeText, Doc: "More about it."},
		Variable{Name: "url", Type: TypeURL, Doc: "Where it is in the console."},
	),
}

// retired are the variables by kind that mails of the kind once had. Templates that shops saved may name them, and are not to be lost
// for it: there they say nothing. Rule mail-33.
var retired = map[Kind][]Variable{
	PaymentWaiting: {
		{Name: "orderDate", Type: TypeDate, retired: true}, {Name: "orderUrl", Type: TypeURL, retired: true},
		{Name: "paymentUrl", Type: TypeURL, retired: true},
	},
	ReturnRequested:   {{Name: "reason", Type: TypeText, retired: true}},
	ReturnApproved:    {{Name: "reason", Type: TypeText, retired: true}},
	ReturnReceived:    {{Name: "reason", Type: TypeText, retired: true}},
	EmailVerification: {{Name: "name", Type: TypeText, retired: true}},
}

func with(common []Variable, more ...Variable) []Variable {
	return slices.Concat(common, more)
}

// VariablesOf are the variables of a kind; nil for what is no kind.
func VariablesOf(k Kind) []Variable { return ofKind[k] }

func find(all []Variable, name string) *Variable {
	for i := range all {
		if all[i].Name == name {
			return &all[i]
		}
	}
	return nil
}

// IsOfOrder reports whether mails of a kind tell of an order.
func (k Kind) IsOfOrder() bool { return find(VariablesOf(k), "orderNumber") != nil }
