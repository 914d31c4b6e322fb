package team

import (
	"slices"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// The kinds of notifications about the shop. Rule team-10.
const (
	LowStock         = "lowStock"
	PaymentAttention = "paymentAttention"
	ReturnRequested  = "returnRequested"
	ErasureRequested = "erasureRequested"
	OrderPlaced      = "orderPlaced"
)

// Notice is a kind of notification about the shop: who is told of it.
type Notice struct {
	Kind    string
	May     []tenant.Permission // whoever has one of these is told
	Admins  bool                // so are admins, who have no permissions for collections
	Default bool                // whether they are told who say nothing about it
	Doc     string              // what it tells
}

// Notices lists them.
var Notices = []Notice{
	{LowStock, []tenant.Permission{tenant.AdjustStock}, false, true, "That no more units of a product or variant are free than its threshold."},
	{
		PaymentAttention, []tenant.Permission{tenant.ResolvePayments, tenant.ReconcilePayments}, false, true,
		"That a payment requires attention, a buyer disputes one, or a refund failed.",
	},
	{ReturnRequested, []tenant.Permission{tenant.DecideReturns}, false, true, "That a return was requested."},
	{ErasureRequested, []tenant.Permission{tenant.On("customers", "delete")}, true, true, "That a customer asks to be erased."},
	{OrderPlaced, []tenant.Permission{tenant.FulfillOrders}, false, false, "That an order was placed; imported ones are left out."},
}

// Reaches reports whether somebody with a role may do something about n, and wants to be told of it.
func (n Notice) Reaches(p tenant.Principal, wants Preferences) bool {
	admin := p.Role == tenant.PlatformAdmin || p.Role == tenant.Admin
	return wants.Tell[n.Kind] && (n.Admins && admin || slices.ContainsFunc(n.May, p.May))
}

// Change is what an event tells of. Its JSON is the body of the event.
type Change struct {
	Collection string               `json:"-"`
	Record     string               `json:"-"`
	Operation  collection.Operation `json:"-"`
	Actor      tenant.Actor         `json:"-"`

	Doc    State `json:"doc"`
	Before State `json:"previousDoc"` // zero where there is none
	Data   State `json:"data"`        // the members that were set
}

// State is what tells occasions of a record: all that is read of it.
type State struct {
	Status             string                    `json:"status"`
	PaymentStatus      string                    `json:"paymentStatus"`
	Type               string                    `json:"type"`
	LowStock           bool                      `json:"lowStock"`
	ErasureRequestedAt any                       `json:"erasureRequestedAt"`
	Order              any                       `json:"order"`
	MailTo             any                       `json:"mailTo"`
	Instructions       struct{ Account any }     `json:"instructions"`
	LineCancels        []struct{ Status string } `json:"lineCancels"`
}

// NoticedCollections are the slugs of the collections whose changes NoticeOf knows.
var NoticedCollections = []string{
	"products", "product-variants", "payment-sessions", "disputes", "transactions", "return-requests", "orders", "customers",
}

// NoticeOf is the kind of notification that a change is an occasion for; "" for none.
func NoticeOf(h Change) string {
	created := h.Operation == collection.Created
	becomes := func(status string) bool { return h.Doc.Status == status && h.Before.Status != status }
	switch {
	case h.Operation == collection.Deleted:
	case (h.Collection == "products" || h.Collection == "product-variants") && (created && h.Doc.LowStock || h.Data.LowStock):
		return LowStock
	case h.Collection == "payment-sessions" && becomes("requires_attention"), h.Collection == "disputes" && created,
		h.Collection == "transactions" && h.Doc.Type == "refund" && becomes("failed"):
		return PaymentAttention
	case h.Collection == "return-requests" && created && h.Doc.Status == "requested":
		return ReturnRequested
	case h.Collection == "customers" && h.Doc.ErasureRequestedAt != nil && h.Before.ErasureRequestedAt == nil:
		return ErasureRequested
	case h.Collection == "orders" && created && h.Actor.Via != tenant.ViaImport:
		return OrderPlaced
	}
	return ""
}

// MaxToldSingly is how many notifications of one kind that nobody saw are there at most for one user, besides one that counts
// the others.
const MaxToldSingly = 20

// Telling is what becomes of new occasions of one kind for one user.
type Telling struct {
	Singly   []string          // records, each with a notification of its own
	Together int64             // how many more are counted together
	Counted  collection.Record // the notification that counts already; nil if it is to be made
}

// PlanTelling decides how a user is told of records, each named once: singly, unless they did not see a notification of the
// record yet, or together, where there are too many. unseen are their notifications of the kind.
func PlanTelling(unseen []collection.Record, records []string) Telling {
	var t Telling
	singly := map[string]bool{}
	for _, n := range unseen {
		if id := n.Text("record"); id != "" {
			singly[id] = true
		} else {
			t.Counted = n
		}
	}
	fresh := slices.DeleteFunc(slices.Clone(records), func(id string) bool { return singly[id] })
	if t.Counted != nil || len(singly)+len(fresh) > MaxToldSingly {
		t.Together = int64(len(fresh))
		return t
	}
	t.Singly = fresh
	return t
}
