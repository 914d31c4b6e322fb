package order_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	. "github.com/cartwright-dev/cartwright/domain/order"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

func TestOrdersAreCorrected(t *testing.T) {
	t.Parallel()
	o, _ := Place(mixedCheckout(), "1", now, counter())
	shipped := o
	shipped.Status = Shipped
	imported := o
	imported.Source = FromAPI
	address := func(name string, value any) func(collection.Record) {
		return func(r collection.Record) {
			a := r.Group("shippingAddress").Clone()
			a[name] = value
			r["shippingAddress"] = a
		}
	}
	set := func(name string, value any) func(collection.Record) {
		return func(r collection.Record) { r[name] = value }
	}
	for name, c := range map[string]struct {
		order Order
		edit  func(collection.Record)
		want  error
	}{
		"another street":                      {o, address("address1", "2 Other Street"), nil},
		"no street":                           {o, address("address1", nil), fault.ErrValidation},
		"no postal code":                      {o, address("postalCode", " "), fault.ErrValidation},
		"a postal code abroad":                {o, address("postalCode", "SW1A 1AA"), fault.ErrValidation},
		"no address":                          {o, set("shippingAddress", nil), fault.ErrValidation},
		"another email":                       {o, set("email", "right@example.com"), nil},
		"no email":                            {o, set("email", ""), fault.ErrValidation},
		"notes":                               {shipped, set("notes", "Rang twice."), nil},
		"the email of a shipped order":        {shipped, set("email", "right@example.com"), nil},
		"the address of a shipped order":      {shipped, address("address1", "2 Other Street"), ErrAddressFixed},
		"an imported order with little of it": {imported, address("postalCode", nil), nil},
	} {
		before := c.order.Record()
		edited := before.Clone()
		c.edit(edited)
		after, err := Correct(before, edited, "KR")
		if !errors.Is(err, c.want) || c.want == nil && err != nil {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
		if email := edited.Text("email"); err == nil && after.Group("customerSnapshot").Text("email") != email {
			t.Errorf("%s: the buyer is %v", name, after.Group("customerSnapshot"))
		}
		if former := after.Texts("formerEmails"); err == nil && (len(former) > 0) != (edited.Text("email") != before.Text("email")) {
			t.Errorf("%s: the former addresses are %v", name, former)
		}
		if before.Group("customerSnapshot").Text("email") != c.order.Contact.Email {
			t.Errorf("%s changed what it was given", name)
		}
	}
}

// An order keeps what its email was, each address once, whatever else is done with it.
func TestCorrectedEmailsAreKept(t *testing.T) {
	t.Parallel()
	o, _ := Place(mixedCheckout(), "1", now, counter())
	r := o.Record()
	to := func(email string) (err error) {
		edited := r.Clone()
		edited["email"] = email
		if edited, err = Correct(r, edited, "KR"); err == nil {
			r = FromRecord(edited).Record()
		}
		return err
	}
	first := r.Text("email")
	for _, email := range []string{"b@example.com", "c@example.com", first, "b@example.com", "b@example.com"} {
		if err := to(email); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := r.Texts("formerEmails"), []string{first, "b@example.com", "c@example.com"}; !slices.Equal(got, want) {
		t.Errorf("the former addresses are %q, want %q", got, want)
	}
	if _, personal := Schema.Redact(r); !personal {
		t.Error("they are not erased")
	}
	var err error
	n := 0
	for ; err == nil && n < 100; n++ {
		err = to(fmt.Sprintf("n%d@example.com", n))
	}
	if !errors.Is(err, fault.ErrValidation) || n != 49 {
		t.Errorf("after %d more corrections: %v", n, err)
	}
}
