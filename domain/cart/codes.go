package cart

import (
	"slices"

	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/pricing"
)

// SetCodes asks for exactly these discount codes, in this order; none clears the list. A code that cannot be used stays
// listed with its reason.
type SetCodes struct {
	Codes []string
	Facts Facts
}

// ApplyCode asks for one more discount code, and is refused when that code cannot be used. A code that is listed already
// keeps its place.
type ApplyCode struct {
	Code  string
	Facts Facts
}

// RemoveCode asks for a cart without a discount code; one that is not listed may be removed too.
type RemoveCode struct {
	Code  string
	Facts Facts
}

// SetAttributes asks for exactly these public attributes; none clears them.
type SetAttributes struct {
	Attributes map[string]string
	Facts      Facts
}

func (c SetCodes) facts() Facts      { return c.Facts }
func (c ApplyCode) facts() Facts     { return c.Facts }
func (c RemoveCode) facts() Facts    { return c.Facts }
func (c SetAttributes) facts() Facts { return c.Facts }

// Check reports too many codes, and codes that nobody could have given out.
func (c SetCodes) Check() error { return refuse(codeProblems(c.Codes)) }

// Check reports a code that nobody could have given out.
func (c ApplyCode) Check() error { return refuse(codeProblem("discountCode", c.Code)) }

// Check reports a code that nobody could have given out.
func (c RemoveCode) Check() error { return refuse(codeProblem("discountCode", c.Code)) }

// Check reports attributes beyond their limits.
func (c SetAttributes) Check() error { return refuse(attributeProblems("attributes", c.Attributes)) }

func (c SetCodes) apply(next *Cart) error { //nolint:unparam // one command of several
	next.Codes = listed(c.Codes)
	return nil
}

func (c ApplyCode) apply(next *Cart) error {
	codes := append(next.CodeTexts(), c.Code)
	next.Codes = listed(codes)
	return refuse(codeProblems(next.CodeTexts()))
}

// usable refuses the code that was to be applied for the reason it takes nothing off.
func (c ApplyCode) usable(totals pricing.Totals) error {
	for _, x := range totals.Codes {
		if x.Code == discount.Normal(c.Code) && !x.Applied {
			return x.Refusal.With("code", x.Code)
		}
	}
	return nil
}

func (c RemoveCode) apply(next *Cart) error { //nolint:unparam // one command of several
	next.Codes = slices.DeleteFunc(slices.Clone(next.Codes), func(x Code) bool { return x.Code == discount.Normal(c.Code) })
	return nil
}

func (c SetAttributes) apply(next *Cart) error { //nolint:unparam // one command of several
	next.Attributes = canonical(c.Attributes)
	return nil
}

// listed are codes as a cart lists them before they are looked at.
func listed(texts []string) (codes []Code) {
	for _, text := range discount.NormalList(texts) {
		codes = append(codes, Code{Code: text})
	}
	return codes
}
