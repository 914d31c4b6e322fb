package cart

import (
	"fmt"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/pricing"
	"github.com/cartwright-dev/cartwright/domain/sale"
	"github.com/cartwright-dev/cartwright/domain/tax"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Facts are the offers, codes and settings that a change of a cart depends on besides the cart itself.
type Facts struct {
	Market   string // id of the market they apply to, "" for none; it must be the cart's after the change
	Currency money.Currency
	Rounding money.Rounding
	Home     string                   // the shop's country, where numbers are dialed; "": unknown
	Offers   map[string]pricing.Offer // by variant, of all lines after the change; an unknown variant is absent
	Codes    []discount.RequestedCode // of the codes after the change; an absent one is not found

	Taxes     *tax.Rules // of the market; nil: none are computed
	TaxExempt bool       // the customer pays no taxes
}

// Command is a requested change of a cart.
//
//sumtype:decl
type Command interface {
	// Check reports input that no cart could accept. Errors: fault.ErrValidation with Fields, ErrLineLimit, ErrTooLarge.
	Check() error
	facts() Facts
	apply(next *Cart) error
}

// LineInput is a quantity of a variant to add to a cart.
type LineInput struct {
	LineID     string // a new id, used when no existing line has this variant and these attributes
	Variant    string
	Quantity   int64
	Admissions []sale.Admission
	Attributes map[string]string
}

// Create makes a new cart.
type Create struct {
	ID          string
	Tenant      tenant.ID
	Environment tenant.Environment
	Customer    string // "" for a guest
	TokenHash   string
	Market      string // id; "" leaves the cart unlocked
	Locale      string // "": the shop's default language
	Lines       []LineInput
	Codes       []string
	Attributes  map[string]string
	Facts       Facts
}

// AddLine adds units of a variant: to the line of the same variant with equal attributes, or as a new line.
type AddLine struct {
	Line   LineInput
	Market string // id; locks an unlocked cart; "": the cart's market
	Facts  Facts
}

// UpdateLine changes the quantity (0 removes the line), admissions or attributes of a line; nil leaves a
// value as it is.
type UpdateLine struct {
	Line       string
	Quantity   *int64
	Admissions *[]sale.Admission
	Attributes *map[string]string
	Facts      Facts
}

// RemoveLine removes a line.
type RemoveLine struct {
	Line  string
	Facts Facts
}

// Clear removes all lines and codes; the market lock stays.
type Clear struct{ Facts Facts }

func (c Create) facts() Facts     { return c.Facts }
func (c AddLine) facts() Facts    { return c.Facts }
func (c UpdateLine) facts() Facts { return c.Facts }
func (c RemoveLine) facts() Facts { return c.Facts }
func (c Clear) facts() Facts      { return c.Facts }

// Check reports every problem of the lines, codes and attributes. Errors: fault.ErrValidation, ErrLineLimit, ErrTooLarge.
func (c Create) Check() error {
	if len(c.Lines) > MaxLines {
		return ErrLineLimit
	}
	problems := attributeProblems("attributes", c.Attributes)
	for i, it := range c.Lines {
		problems = append(problems, it.problems(fmt.Sprintf("items.%d.", i))...)
	}
	if err := validationError(append(problems, codeProblems(c.Codes)...)); err != nil {
		return err
	}
	for _, it := range c.Lines {
		if err := it.checkSize(); err != nil {
			return err
		}
	}
	return nil
}

// Check reports every problem of the line. Errors: fault.ErrValidation, ErrTooLarge.
func (c AddLine) Check() error {
	if err := validationError(c.Line.problems("")); err != nil {
		return err
	}
	return c.Line.checkSize()
}

// Check reports a negative quantity and every problem of admissions and attributes. Errors: fault.ErrValidation,
// ErrTooLarge.
func (c UpdateLine) Check() error {
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
	if err := validationError(problems); err != nil {
		return err
	}
	return LineInput{Admissions: valueOf(c.Admissions), Attributes: valueOf(c.Attributes)}.checkSize()
}

// valueOf is what p points to, the zero value for nil.
func valueOf[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

// checkSize refuses input that no line could hold, so that none waits for its cart. Errors: ErrTooLarge.
func (it LineInput) checkSize() error {
	if sale.ContentSize(it.Admissions, it.Attributes) > MaxLineBytes {
		return lineTooLarge(it.Variant)
	}
	return nil
}

// Check returns nil: there is no input to check.
func (RemoveLine) Check() error { return nil }

// Check returns nil: there is no input to check.
func (Clear) Check() error { return nil }

func validationError(problems []fault.Field) error {
	if len(problems) == 0 {
		return nil
	}
	return fault.ErrValidation.WithFields(problems...)
}

func (it LineInput) problems(at string) []fault.Field {
	var problems []fault.Field
	switch {
	case it.Variant == "":
		problems = append(problems, fault.Field{Field: at + "variantId", Message: "This field is required."})
	case len(it.Variant) > maxText:
		problems = append(problems, fault.Field{Field: at + "variantId", Message: fmt.Sprintf("An id has at most %d bytes.", maxText)})
	}
	if it.Quantity < 1 {
		problems = append(problems, fault.Field{Field: at + "quantity", Message: "This field takes 1 or more."})
	}
	problems = append(problems, admissionProblems(at, it.Admissions)...)
	return append(problems, attributeProblems(at+"attributes", it.Attributes)...)
}

const maxText = 255 // bytes of a name, a telephone number, an attribute's name

func admissionProblems(at string, admissions []sale.Admission) []fault.Field {
	var problems []fault.Field
	for i, a := range admissions {
		path := fmt.Sprintf("%sadmissions.%d.", at, i)
		if a.Name == "" || len(a.Name) > maxText {
			problems = append(problems, fault.Field{
				Field: path + "name", Message: fmt.Sprintf("This field is required and takes at most %d bytes.", maxText),
			})
		}
		if a.Email != "" && !collection.ValidEmail(a.Email) {
			problems = append(problems, fault.Field{Field: path + "email", Message: "This field takes an email address."})
		}
		if len(a.Phone) > maxText {
			problems = append(problems, fault.Field{
				Field: path + "phone", Message: fmt.Sprintf("This field takes at most %d bytes.", maxText),
			})
		}
		problems = append(problems, attributeProblems(path+"attributes", a.Attributes)...)
	}
	return problems
}

func attributeProblems(path string, attributes map[string]string) []fault.Field {
	if len(attributes) > MaxAttributes {
		return []fault.Field{{Field: path, Message: fmt.Sprintf("A cart has at most %d attributes.", MaxAttributes)}}
	}
	for name, value := range attributes {
		if name == "" || len(name) > maxText || len(value) > MaxAttribute {
			return []fault.Field{{
				Field:   path,
				Message: fmt.Sprintf("An attribute has a name of 1 to %d bytes and a value of at most %d bytes.", maxText, MaxAttribute),
			}}
		}
	}
	return nil
}

func codeProblems(codes []string) []fault.Field {
	if len(codes) > MaxCodes {
		return []fault.Field{{Field: "discountCodes", Message: fmt.Sprintf("A cart has at most %d discount codes.", MaxCodes)}}
	}
	var problems []fault.Field
	for i, code := range codes {
		problems = append(problems, codeProblem(fmt.Sprintf("discountCodes.%d", i), code)...)
	}
	return problems
}

func codeProblem(path, code string) []fault.Field {
	if discount.NormalizeCode(code) == "" || len(code) > maxText {
		return []fault.Field{{Field: path, Message: fmt.Sprintf("A code has 1 to %d bytes.", maxText)}}
	}
	return nil
}

// Complete returns c after its checkout became an order at now. A cart that is completed already is returned
// unchanged.
func (c Cart) Complete(now time.Time) Cart {
	if c.Status == Completed {
		return c
	}
	c.Status, c.UpdatedAt = Completed, collection.TruncateTime(now)
	c.Revision++
	c.Sequence++
	return c
}

// Abandon stores at now that c has expired. Readers saw it as abandoned before, so the revision stays. A cart
// that has not expired, or is completed or merged, is returned unchanged.
func (c Cart) Abandon(now time.Time) Cart {
	if c.Status != Active || c.StatusAt(now) != Abandoned {
		return c
	}
	c.Status, c.UpdatedAt = Abandoned, collection.TruncateTime(now)
	c.Sequence++
	return c
}
