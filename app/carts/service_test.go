package carts_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/app/carts"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/mailbox"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

func newCart() carts.NewCart { return carts.NewCart{} }

func TestStaleCachedStateRefusesNoValidChange(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, db database) {
		s := newShop(t, db, 1)
		here, there := s.process(t, mailbox.Options{}), s.process(t, mailbox.Options{})
		c := here.begin(t)
		for revision := int64(1); revision < 9; revision += 2 {
			a, err := here.add(t, s.guest("carts.addItem", newKey(), c.CartToken), c.Cart.ID, revision, s.variants[0], 1)
			read(t, a, err)
			a, err = there.add(t, s.guest("carts.addItem", newKey(), c.CartToken), c.Cart.ID, revision+1, s.variants[0], 1)
			read(t, a, err)
		}
		a, err := here.add(t, s.server("carts.addItem", newKey()), c.Cart.ID, 0, s.variants[0], 1)
		if got := read(t, a, err); got.Cart.Revision != 10 || got.Cart.Lines[0].Quantity != 9 {
			t.Error(a.Body.String())
		}
	})
}

// The response to a change equals what is read afterwards, also where null and absent differ.
func TestReadEqualsLastChangeAnswer(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, db database) {
		s := newShop(t, db, 1)
		p := s.process(t, mailbox.Options{})
		c := p.begin(t)
		retrieved := func() string {
			a, err := p.Retrieve(t.Context(), s.server("carts.retrieve", ""), c.Cart.ID, carts.Wrapped)
			if err != nil {
				t.Fatal(err)
			}
			return a.Body.String()
		}
		if got := retrieved(); strings.Contains(got, `"shipping"`) {
			t.Errorf("nothing ships: %s", got)
		}
		a, err := p.add(t, s.server("carts.addItem", newKey()), c.Cart.ID, 0, s.variants[0], 1)
		if read(t, a, err); !strings.Contains(a.Body.String(), `"shipping":null`) {
			t.Errorf("shipping is not known yet: %s", a.Body)
		}
		if got := retrieved(); got != a.Body.String() {
			t.Errorf("the cart reads\n%s\nand its change answered\n%s", got, a.Body)
		}
	})
}

func TestWhoMayUseACart(t *testing.T) {
	s := newShop(t, oneDatabase(t), 1)
	p := s.process(t, mailbox.Options{})
	customer := s.write(t, identity.Customers, collection.Record{"email": "a@example.com"})
	byServer, err := p.Create(t.Context(), s.server("carts.create", newKey()), carts.NewCart{Customer: customer})
	mine := read(t, byServer, err)
	other := p.begin(t)
	as := func(kind tenant.Kind, id string, change func(*idempotency.Call)) idempotency.Call {
		c := s.guest("carts.addItem", newKey(), "")
		c.Principal = s.principal(kind, id)
		if change != nil {
			change(&c)
		}
		return c
	}
	token := func(token string) func(*idempotency.Call) { return func(c *idempotency.Call) { c.CartToken = token } }
	server := func(c *idempotency.Call) { c.Server = true }
	for name, tc := range map[string]struct {
		call idempotency.Call
		cart string
		want error
	}{
		"the server":                        {as(tenant.SecretKey, "sk", server), mine.Cart.ID, nil},
		"the holder of its token":           {as(tenant.ClientKey, "pk", token(mine.CartToken)), mine.Cart.ID, nil},
		"its customer":                      {as(tenant.Customer, customer, nil), mine.Cart.ID, nil},
		"its customer with a foreign token": {as(tenant.Customer, customer, token(other.CartToken)), mine.Cart.ID, nil},
		"another customer":                  {as(tenant.Customer, "someone", nil), mine.Cart.ID, fault.ErrNotFound},
		"a customer, of a guest's cart":     {as(tenant.Customer, customer, nil), other.Cart.ID, fault.ErrNotFound},
		"the holder of another token":       {as(tenant.ClientKey, "pk", token(other.CartToken)), mine.Cart.ID, fault.ErrNotFound},
		"a guest, of an unknown cart":       {as(tenant.ClientKey, "pk", token(other.CartToken)), newID(), fault.ErrNotFound},
		"the server, of an unknown cart":    {as(tenant.SecretKey, "sk", server), newID(), fault.ErrNotFound},
		"a bare client key":                 {as(tenant.ClientKey, "pk", nil), mine.Cart.ID, fault.ErrUnauthenticated},
		"nobody":                            {as(tenant.Anonymous, "", nil), mine.Cart.ID, fault.ErrUnauthenticated},
		"a secret key on a public path":     {as(tenant.SecretKey, "sk", nil), mine.Cart.ID, fault.ErrForbidden},
		"a client key on a server path":     {as(tenant.ClientKey, "pk", server), mine.Cart.ID, fault.ErrForbidden},
		"a user":                            {as(tenant.User, "u", nil), mine.Cart.ID, fault.ErrForbidden},
		"a secret key without scopes": {
			as(tenant.SecretKey, "sk",
				func(c *idempotency.Call) { c.Server, c.Principal.CanRead, c.Principal.CanWrite = true, false, false }),
			mine.Cart.ID, fault.ErrForbidden,
		},
		"a test key, of a live cart": {
			as(tenant.SecretKey, "sk", func(c *idempotency.Call) { c.Server, c.Principal.Environment = true, tenant.Test }), mine.Cart.ID,
			fault.ErrNotFound,
		},
		"another tenant's server": {
			as(tenant.SecretKey, "sk", func(c *idempotency.Call) { c.Server, c.Principal.Tenant.ID = true, "elsewhere" }), mine.Cart.ID,
			fault.ErrNotFound,
		},
	} {
		now := p.look(t, mine.Cart.ID).Cart.Revision
		_, err := p.add(t, tc.call, tc.cart, now, s.variants[0], 1)
		if !errors.Is(err, tc.want) {
			t.Errorf("%s changes: %v", name, err)
		}
		if _, err := p.Retrieve(t.Context(), tc.call, tc.cart, carts.Wrapped); !errors.Is(err, tc.want) {
			t.Errorf("%s looks: %v", name, err)
		}
	}
}

func TestChangeRequiresKeyAndRevision(t *testing.T) {
	s := newShop(t, oneDatabase(t), 1)
	p := s.process(t, mailbox.Options{})
	c := p.begin(t)
	derived := "cart-" + strings.ToUpper(c.Cart.ID)
	for name, tc := range map[string]struct {
		call     idempotency.Call
		expected int64
		quantity int64
		want     error
	}{
		"a key":                         {s.server("carts.addItem", ""), 0, 1, idempotency.ErrKeyRequired},
		"a key not derived from the id": {s.server("carts.addItem", derived), 0, 1, idempotency.ErrKeyDerived},
		"a revision, with a token":      {s.guest("carts.addItem", newKey(), c.CartToken), 0, 1, carts.ErrRevisionRequired},
		"a revision from one":           {s.server("carts.addItem", newKey()), -1, 1, fault.ErrValidation},
		"a quantity from one":           {s.server("carts.addItem", newKey()), 0, 0, fault.ErrValidation},
	} {
		if a, err := p.add(t, tc.call, c.Cart.ID, tc.expected, s.variants[0], tc.quantity); !errors.Is(err, tc.want) {
			t.Errorf("%s: %v %v", name, err, a.Fault)
		}
	}
	if got := p.look(t, c.Cart.ID); got.Cart.Revision != 1 {
		t.Error("something was changed")
	}
	a, err := p.add(t, s.guest("carts.addItem", newKey(), c.CartToken), c.Cart.ID, 1, s.variant(t, s.product, 5), 6)
	if err != nil || !errors.Is(a.Fault, inventory.ErrOutOfStock) || a.Fault.Data["available"] != nil {
		t.Errorf("stock: %v %v", err, a.Fault)
	}
}

func TestCreatingACart(t *testing.T) {
	s := newShop(t, oneDatabase(t), 1)
	p := s.process(t, mailbox.Options{})
	customer := s.write(t, identity.Customers, collection.Record{"email": "a@example.com"})
	items := []cart.LineInput{{Variant: s.variants[0], Quantity: 2}}
	login := s.guest("carts.create", "", "")
	login.Principal = s.principal(tenant.Customer, customer)
	for name, tc := range map[string]struct {
		call idempotency.Call
		in   carts.NewCart
		want error
	}{
		"a guest needs no key": {s.guest("carts.create", "", ""), carts.NewCart{Lines: items}, nil},
		"a guest's key must be generated": {
			s.guest("carts.create", "a-key-of-my-own-making", ""), newCart(), idempotency.ErrInvalidKey,
		},
		"a server may choose its own key":     {s.server("carts.create", "a-key-of-my-own-making"), newCart(), nil},
		"a customer's cart is the customer's": {login, newCart(), nil},
		"a guest names no customer":           {s.guest("carts.create", "", ""), carts.NewCart{Customer: customer}, fault.ErrValidation},
		"a server names a customer":           {s.server("carts.create", ""), carts.NewCart{Customer: customer}, nil},
		"a server names no unknown customer":  {s.server("carts.create", ""), carts.NewCart{Customer: newID()}, fault.ErrValidation},
		"an unknown market is refused":        {s.guest("carts.create", "", ""), carts.NewCart{Market: "mars"}, catalog.ErrMarketNotFound},
		"an unknown variant is refused": {
			s.guest("carts.create", "", ""), carts.NewCart{Lines: []cart.LineInput{{Variant: newID(), Quantity: 1}}},
			catalog.ErrVariantUnavailable,
		},
	} {
		a, err := p.Create(t.Context(), tc.call, tc.in)
		if !errors.Is(err, tc.want) {
			t.Errorf("%s: %v", name, err)
		}
		if err != nil {
			continue
		}
		got := read(t, a, err)
		if got.Cart.Revision != 1 || !strings.HasPrefix(got.CartToken, "ct_") || len(got.Cart.Lines) != len(tc.in.Lines) ||
			a.Result != ports.ReceiptCreated {
			t.Errorf("%s: %s", name, a.Body)
		}
		if owned := tc.call.Principal.Kind == tenant.Customer || tc.in.Customer != ""; owned != (got.Cart.Customer == customer) {
			t.Errorf("%s: customer %q", name, got.Cart.Customer)
		}
	}
	keyed := s.guest("carts.create", newKey(), "")
	for range 2 {
		a, err := p.Create(t.Context(), keyed, carts.NewCart{Market: "mars"})
		if err != nil || !errors.Is(a.Fault, catalog.ErrMarketNotFound) {
			t.Errorf("a refusal is kept under its key: %v %+v", err, a)
		}
		p.flush()
	}
}

func TestMineIsTheLatestActiveCart(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, db database) {
		s := newShop(t, db, 1)
		p := s.process(t, mailbox.Options{})
		customer := s.write(t, identity.Customers, collection.Record{"email": "a@example.com"})
		login := s.guest("carts.create", "", "")
		login.Principal = s.principal(tenant.Customer, customer)
		mine := func() shown {
			a, err := p.Mine(t.Context(), login, "")
			return read(t, a, err)
		}
		if mine().Cart != nil {
			t.Error("a cart out of nothing")
		}
		a, err := p.Create(t.Context(), login, newCart())
		old := read(t, a, err)
		s.pass(time.Hour)
		a, err = p.Create(t.Context(), login, newCart())
		young := read(t, a, err)
		if got := mine(); got.Cart.ID != young.Cart.ID || got.CartToken != "" {
			t.Error("not the latest cart")
		}
		s.pass(time.Hour)
		login.Key = newKey()
		a, err = p.add(t, login, old.Cart.ID, 0, s.variants[0], 1)
		read(t, a, err)
		if mine().Cart.ID != old.Cart.ID {
			t.Error("not the cart that changed last")
		}
		s.pass(cart.Lifetime)
		if mine().Cart != nil || p.look(t, old.Cart.ID).Cart.Status != "abandoned" {
			t.Error("an expired cart is abandoned")
		}
		if _, err := p.Mine(t.Context(), s.guest("carts.mine", "", ""), ""); !errors.Is(err, fault.ErrUnauthenticated) {
			t.Error(err)
		}
		if a, err := p.Mine(t.Context(), s.server("carts.mine", ""), customer); err != nil || a.Body.String() != `{"cart":null}` {
			t.Error(err, a.Body.String())
		}
	})
}

func TestLinesAreUpdatedRemovedAndCleared(t *testing.T) {
	s := newShop(t, oneDatabase(t), 2)
	p := s.process(t, mailbox.Options{})
	c := p.begin(t)
	for _, v := range s.variants {
		a, err := p.add(t, s.server("carts.addItem", newKey()), c.Cart.ID, 0, v, 1)
		read(t, a, err)
	}
	got := p.look(t, c.Cart.ID)
	target := func() carts.Target {
		return carts.Target{Call: s.server("carts.change", newKey()), Cart: c.Cart.ID}
	}
	seven := int64(7)
	a, err := p.UpdateLine(t.Context(), target(), cart.UpdateLine{Line: got.Cart.Lines[0].ID, Quantity: &seven})
	if now := read(t, a, err); now.Cart.Lines[0].Quantity != 7 || a.Revision != 4 {
		t.Error(a.Body.String())
	}
	a, err = p.RemoveLine(t.Context(), target(), got.Cart.Lines[0].ID)
	if now := read(t, a, err); len(now.Cart.Lines) != 1 || a.Revision != 5 {
		t.Error(a.Body.String())
	}
	a, err = p.RemoveLine(t.Context(), target(), got.Cart.Lines[0].ID)
	if err != nil || !errors.Is(a.Fault, cart.ErrLineNotFound) {
		t.Error(err, a.Fault)
	}
	a, err = p.Clear(t.Context(), target())
	if now := read(t, a, err); len(now.Cart.Lines) != 0 || a.Revision != 6 {
		t.Error(a.Body.String())
	}
}

func TestFirstMarketIsFixed(t *testing.T) {
	s := newShop(t, oneDatabase(t), 1)
	p := s.process(t, mailbox.Options{})
	rate, _ := money.ParseDecimal("0.001")
	us := s.write(t, catalog.Markets, collection.Record{
		"name": "US", "code": "us", "currency": "USD", "exchangeRate": rate, "status": catalog.Active,
	})
	s.write(t, catalog.Markets, collection.Record{"name": "KR", "code": "kr", "currency": "KRW", "status": catalog.Active})
	c := p.begin(t)
	a, err := p.add(t, s.server("carts.addItem", newKey()), c.Cart.ID, 0, s.variants[0], 1)
	read(t, a, err)
	add := func(market string) (idempotency.Response, error) {
		return p.AddLine(t.Context(), carts.Target{Call: s.server("carts.addItem", newKey()), Cart: c.Cart.ID},
			cart.LineInput{Variant: s.variants[0], Quantity: 1}, market)
	}
	if a, err = add("us"); err != nil || a.Fault != nil ||
		!strings.Contains(a.Body.String(), `"market":"`+us+`","marketLocked":true,"currency":"USD"`) ||
		!strings.Contains(a.Body.String(), `"unitPrice":1,`) {
		t.Fatal(err, a.Fault, a.Body.String())
	}
	if a, err = add(us); err != nil || a.Fault != nil {
		t.Error("its own market by id:", err, a.Fault)
	}
	if a, err = add("kr"); err != nil || !errors.Is(a.Fault, cart.ErrMarketMismatch) {
		t.Error(err, a.Fault)
	}
	if a, err = add("mars"); err != nil || !errors.Is(a.Fault, catalog.ErrMarketNotFound) {
		t.Error(err, a.Fault)
	}
}

func TestFailedCommitLeavesKeyReusable(t *testing.T) {
	s := newShop(t, oneDatabase(t), 1)
	p := s.process(t, mailbox.Options{})
	c := p.begin(t)
	down := true
	p.Committer = switched{p.Committer, &down}
	p.Service = carts.New(*p.Service, mailbox.Options{})
	call := s.guest("carts.addItem", newKey(), c.CartToken)
	if _, err := p.add(t, call, c.Cart.ID, 1, s.variants[0], 1); !errors.Is(err, fault.ErrUnavailable) {
		t.Error(err)
	}
	down = false
	a, err := p.add(t, call, c.Cart.ID, 1, s.variants[0], 1)
	if got := read(t, a, err); a.Replayed || got.Cart.Revision != 2 {
		t.Error(a.Body.String())
	}
}

// switched is a committer whose database can be switched off.
type switched struct {
	ports.Committer

	down *bool
}

func (s switched) Commit(ctx context.Context, step ports.CommitRequest) error {
	if *s.down {
		return fault.ErrUnavailable
	}
	return s.Committer.Commit(ctx, step)
}
