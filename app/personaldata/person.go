package personaldata

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/draft"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/returns"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// person is whose data is erased.
type person struct {
	schema *collection.Schema // identity.Customers, or identity.GuestErasures, which stand for guests
	id     string             // of the record; "": of a guest whose erasure has not begun
	in     tenant.Environment // where their data is; "", of customers: both
	guest  guest
}

// guest is by what the purchases of a guest are found.
type guest struct {
	emails []string        // in lower case: the guest's, and that of the erasure
	until  time.Time       // what was made later under the guest's address is of a new beginning; zero: none was
	fold   collection.Fold // as filters compare
}

// personOf is whose data the record of a customer or of a guest erasure is about.
func personOf(s *collection.Schema, r collection.Record, fold collection.Fold) person {
	p := person{schema: s, id: r.ID()}
	if s == identity.GuestErasures {
		p.in = tenant.Environment(r.Text("environment"))
		p.guest = guest{emails: []string{r.Text("email")}, fold: fold}
		if mark := collection.ErasedEmail(p.id); mark != p.guest.emails[0] {
			p.guest.emails = append(p.guest.emails, mark)
		}
		if since := r.Time("erasingSince"); !since.IsZero() {
			p.guest.until = since.Add(settled)
		}
	}
	return p
}

// newGuest is a guest of an environment whose erasure has not begun.
func newGuest(env tenant.Environment, email string, fold collection.Fold) person {
	return person{schema: identity.GuestErasures, in: env, guest: guest{emails: []string{email}, fold: fold}}
}

// isGuest reports whether p has no account.
func (p person) isGuest() bool { return p.schema == identity.GuestErasures }

// buyerEmail is where a collection has the buyer's address; nil: nowhere.
func buyerEmail(s *collection.Schema) []collection.Field {
	switch s {
	case order.Schema, checkout.Schema:
		email, _ := s.Field("email")
		return []collection.Field{email}
	case draft.Schema:
		buyer, _ := s.Field("customerSnapshot")
		at := slices.IndexFunc(buyer.Fields, func(f collection.Field) bool { return f.Name == "email" })
		return []collection.Field{buyer, buyer.Fields[at]}
	}
	return nil
}

// owned reports whether a record leads to a customer: no guest's erasure takes it.
func owned(r collection.Record) bool { return r.Text("customer") != "" }

// redact is r without what is personal in it. Where r has a guest's address it gets that of the erasure in its place: this says
// what belongs together, and leads there after the guest's own address is gone.
func (p person) redact(s *collection.Schema, r collection.Record) (redacted collection.Record, changed bool) {
	redacted, changed = s.Redact(r)
	if !p.isGuest() {
		return redacted, changed
	}
	path, mark := buyerEmail(s), collection.ErasedEmail(p.id)
	switch {
	case len(path) == 0:
		return redacted, changed
	case len(path) == 1:
		if collection.IsErasedEmail(r.Text("email")) {
			return redacted, changed
		}
		redacted = redacted.Clone()
		redacted["email"] = mark
	default:
		buyer := redacted.Group(path[0].Name)
		if collection.IsErasedEmail(buyer.Text("email")) {
			return redacted, changed
		}
		if buyer = buyer.Clone(); buyer == nil {
			buyer = collection.Record{}
		}
		redacted = redacted.Clone()
		buyer["email"], redacted[path[0].Name] = mark, buyer
	}
	return redacted, true
}

// named are the queries of what names a guest as the buyer. The emails of drafts are as they were typed, so that more than theirs are
// found: see isNamed. The email of an order can be corrected: formerEmails has what it was.
func (g guest) named() (all []collection.Query) {
	for _, email := range g.emails {
		draftEmail := collection.Comparison{Path: buyerEmail(draft.Schema), Op: collection.Contains, Values: []any{g.fold(email)}}
		for _, q := range []collection.Query{
			{Schema: checkout.Schema, Where: checkout.Schema.Where("email", collection.Equals, email)},
			{Schema: order.Schema, Where: order.Schema.Where("email", collection.Equals, email)},
			{Schema: order.Schema, Where: order.Schema.Where("formerEmails", collection.Equals, email)},
			{Schema: draft.Schema, Where: draftEmail},
		} {
			where := collection.And{q.Where, q.Schema.Where("customer", collection.Exists, false)}
			if !g.until.IsZero() && !collection.IsErasedEmail(email) {
				where = append(where, q.Schema.Where("createdAt", collection.LessThanEqual, g.until))
			}
			q.Where = where
			all = append(all, q)
		}
	}
	return all
}

// isNamed reports whether a draft names the guest as the buyer, whatever the case and the blanks around.
func (g guest) isNamed(draft collection.Record) bool {
	return slices.Contains(g.emails, strings.ToLower(strings.TrimSpace(draft.Group("customerSnapshot").Text("email"))))
}

// guestHoldings are what is erased of guests besides what names them, each after the one that it leads through.
var guestHoldings = append([]Holding{{returns.Schema, "order", order.Schema}},
	slices.DeleteFunc(slices.Clone(Erased), func(h Holding) bool { return h.Via == nil })...)

// pieces are the collections that a purchase consists of, and follow is what a record of each leads to: what it was made from, and
// what it became.
var (
	pieces = []*collection.Schema{cart.Schema, checkout.Schema, draft.Schema, order.Schema}
	follow = map[*collection.Schema][]Holding{
		checkout.Schema: {{cart.Schema, "cart", nil}, {order.Schema, "order", nil}},
		order.Schema:    {{checkout.Schema, "checkout", nil}, {draft.Schema, "draftOrder", nil}},
		draft.Schema:    {{order.Schema, "order", nil}},
	}
)

// gathering gathers what is held about a person.
type gathering struct {
	whose

	person person
	fn     func(heldPage) error
	held   map[*collection.Schema][]string
	seen   map[string]bool
	ahead  map[*collection.Schema][]string // pieces of purchases that were named and not read yet
}

// take calls fn with those records of a page that were not taken before.
func (g *gathering) take(s *collection.Schema, page []collection.Record) error {
	page = slices.DeleteFunc(slices.Clone(page), func(r collection.Record) bool { // whoever reads on needs the last of page
		return g.seen[s.Slug+r.ID()] || g.person.isGuest() && owned(r)
	})
	for _, r := range page {
		g.seen[s.Slug+r.ID()] = true
		g.held[s] = append(g.held[s], r.ID())
		if !g.person.isGuest() {
			continue
		}
		for _, h := range follow[s] {
			if id := r.Text(h.By); id != "" && !g.seen[h.Schema.Slug+id] {
				g.ahead[h.Schema] = append(g.ahead[h.Schema], id)
			}
		}
	}
	if len(page) == 0 {
		return nil
	}
	return g.fn(heldPage{s, page})
}

// purchases takes what names a guest as the buyer, and the other pieces of the same purchases: a correction of the address, which is
// made in one of them, does not part them.
func (g *gathering) purchases(ctx context.Context) error {
	for _, q := range g.person.guest.named() {
		q.Environment, q.Now = string(g.environment), g.now
		err := ports.FindEach(ctx, g.read, q, func(page []collection.Record) error {
			if q.Schema == draft.Schema {
				page = slices.DeleteFunc(slices.Clone(page), func(r collection.Record) bool { return !g.person.guest.isNamed(r) })
			}
			return g.take(q.Schema, page)
		})
		if err != nil {
			return err
		}
	}
	for again := true; again; {
		again = false
		for _, s := range pieces {
			ids := g.ahead[s]
			delete(g.ahead, s)
			for part := range slices.Chunk(ids, collection.MaxLimit) {
				again = true
				if err := g.each(ctx, Holding{s, "id", nil}, part, func(page []collection.Record) error { return g.take(s, page) }); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
