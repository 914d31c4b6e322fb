package cart

import (
	"fmt"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/pricing"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Facts are what a change of a cart depends on besides the cart.
type Facts struct {
	Market   string // id of the market they hold for, "" for none; it must be the cart's after the change
	Currency money.Currency
	Rounding money.Rounding
	Offers   map[string]pricing.Offer // by variant, of all lines after the change; an unknown variant is absent
	Codes    []discount.Candidate     // of the codes after the change; an absent one is not found
}

// Command is a wish to change a cart.
//
//sumtype:decl
type Command interface {
	// Check reports input that no cart could accept. Errors: fault.ErrValidation with Fields.
	Check() error
	facts() Facts
	apply(next *Cart) error
}

// Item is a quantity of a variant that goes into a cart.
type Item struct {
	LineID     string // a new id, used when no line takes the item
	Variant    string
	Quantity   int64
	Admissions []Admission
	Attributes map[string]string
}

// Create asks for a new cart.
type Create struct {
	ID          string
	Tenant      tenant.ID
	Environment tenant.Environment
	Customer    string // "" for a guest
	TokenHash   string
	Market      string // id; "" leaves the cart unlocked
	Items       []Item
	Codes       []string
	Attributes  map[string]string
	Facts       Facts
}

// AddItem asks for more of a variant. A line of the same variant with equal attributes takes it.
type AddItem struct {
	Item   Item
	Market string // id; locks an unlocked cart; "" is the cart's
	Facts  Facts
}

// UpdateItem asks for another quantity (0 removes the line), other admissions or other attributes of a line; nil leaves as is.
type UpdateItem struct {
	Line       string
	Quantity   *int64
	Admissions *[]Admission
	Attributes *map[string]string
	Facts      Facts
}

// RemoveItem asks for a cart without a line.
type RemoveItem struct {
	Line  string
	Facts Facts
}

// Clear asks for a cart without lines and codes; the market lock stays.
type Clear struct{ Facts Facts }

func (c Create) facts() Facts     { return c.Facts }
func (c AddItem) facts() Facts    { return c.Facts }
func (c UpdateItem) facts() Facts { return c.Facts }
func (c RemoveItem) facts() Facts { return c.Facts }
func (c Clear) facts() Facts      { return c.Facts }

// Check reports every problem of the items, codes and attributes. Errors: fault.ErrValidation, ErrLineLimit.
func (c Create) Check() error {
	if len(c.Items) > MaxLines {
		return ErrLineLimit
	}
	problems := attributeProblems("attributes", c.Attributes)
	for i, it := range c.Items {
		problems = append(problems, it.problems(fmt.Sprintf("items.%d.", i))...)
	}
	return refuse(append(problems, codeProblems(c.Codes)...))
}

// Check reports every problem of the item.
func (c AddItem) Check() error { return refuse(c.Item.problems("")) }

// Check reports a negative quantity and every problem of admissions and attributes.
func (c UpdateItem) Check() error {
	var problems []fault.Field
	if c.Quantity != nil && *c.Quantity < 0 {
		problems = append(problems, fault.Field{Field: "quantity", Message: "This field takes 0 or more."})
	}
	if c.Admissions != nil {
		problems = append(problems, admissionProblems("", *c.Admissions)...)
	}
	if c.Attributes != nil {
		problems = append(problems, attributeProblems("attributes", *c.Attributes)...)
	}
	return refuse(problems)
}

// Check finds nothing: there is no input.
func (RemoveItem) Check() error { return nil }

// Check finds nothing: there is no input.
func (Clear) Check() error { return nil }

func refuse(problems []fault.Field) error {
	if len(problems) == 0 {
		return nil
	}
	return fault.ErrValidation.In(problems...)
}

func (it Item) problems(at string) []fault.Field {
	var problems []fault.Field
	if it.Variant == "" {
		problems = append(problems, fault.Field{Field: at + "variantId", Message: "This field is required."})
	}
	if it.Quantity < 1 {
		problems = append(problems, fault.Field{Field: at + "quantity", Message: "This field takes 1 or more."})
	}
	problems = append(problems, admissionProblems(at, it.Admissions)...)
	return append(problems, attributeProblems(at+"attributes", it.Attributes)...)
}

const maxText = 255 // characters of a name, a telephone number, an attribute's name

func admissionProblems(at string, admissions []Admission) []fault.Field {
	var problems []fault.Field
	for i, a := range admissions {
		path := fmt.Sprintf("%sadmissions.%d.", at, i)
		if a.Name == "" || len(a.Name) > maxText {
			problems = append(problems, fault.Field{Field: path + "name", Message: fmt.Sprintf("This field is required and takes at most %d bytes.", maxText)})
		}
		if a.Email != "" && !collection.ValidEmail(a.Email) {
			problems = append(problems, fault.Field{Field: path + "email", Message: "This field takes an email address."})
		}
		if len(a.Phone) > maxText {
			problems = append(problems, fault.Field{Field: path + "phone", Message: fmt.Sprintf("This field takes at most %d bytes.", maxText)})
		}
		problems = append(problems, attributeProblems(path+"attributes", a.Attributes)...)
	}
	return problems
}

func attributeProblems(path string, attributes map[string]string) []fault.Field {
	if len(attributes) > MaxAttributes {
		return []fault.Field{{Field: path, Message: fmt.Sprintf("At most %d attributes.", MaxAttributes)}}
	}
	for name, value := range attributes {
		if name == "" || len(name) > maxText || len(value) > MaxAttribute {
			return []fault.Field{{Field: path, Message: fmt.Sprintf("An attribute has a name of 1 to %d bytes and a value of at most %d bytes.", maxText, MaxAttribute)}}
		}
	}
	return nil
}

func codeProblems(codes []string) []fault.Field {
	if len(codes) > MaxCodes {
		return []fault.Field{{Field: "discountCodes", Message: fmt.Sprintf("At most %d codes.", MaxCodes)}}
	}
	var problems []fault.Field
	for i, code := range codes {
		problems = append(problems, codeProblem(fmt.Sprintf("discountCodes.%d", i), code)...)
	}
	return problems
}

func codeProblem(path, code string) []fault.Field {
	if discount.Normal(code) == "" || len(code) > maxText {
		return []fault.Field{{Field: path, Message: fmt.Sprintf("A code has 1 to %d bytes.", maxText)}}
	}
	return nil
}

// Complete is c after its checkout became an order at now. A cart that is completed already is returned as it is.
func (c Cart) Complete(now time.Time) Cart {
	if c.Status == Completed {
		return c
	}
	c.Status, c.UpdatedAt = Completed, collection.Instant(now)
	c.Revision++
	c.Sequence++
	return c
}

// Abandon is c, which expired, with that written down at now. Readers saw it so before, hence the revision stays. A cart
// that may still be changed, or is over in another way, is returned as it is.
func (c Cart) Abandon(now time.Time) Cart {
	if c.Status != Active || c.StatusAt(now) != Abandoned {
		return c
	}
	c.Status, c.UpdatedAt = Abandoned, collection.Instant(now)
	c.Sequence++
	return c
}
