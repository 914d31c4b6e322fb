package cart

import (
	"slices"

	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/pricing"
)

// SetCodes replaces the list of discount codes; an empty list clears it. A code that cannot be used stays
// listed with its reason.
type SetCodes struct {
	Codes []string
	Facts Facts
}

// ApplyCode adds one discount code at the end of the list, and is refused when that code cannot be used. A code
// that is listed already keeps its position.
type ApplyCode struct {
	Code  string
	Facts Facts
}

// RemoveCode removes a discount code. It succeeds when the code is not listed.
type RemoveCode struct {
	Code  string
	Facts Facts
}

// SetAttributes replaces the public attributes; an empty map clears them.
type SetAttributes struct {
	Attributes map[string]string
	Facts      Facts
}

func (c SetCodes) facts() Facts      { return c.Facts }
func (c ApplyCode) facts() Facts     { return c.Facts }
func (c RemoveCode) facts() Facts    { return c.Facts }
func (c SetAttributes) facts() Facts { return c.Facts }

// Check reports too many codes, and codes that are empty or too long.
func (c SetCodes) Check() error { return validationError(codeProblems(c.Codes)) }

// Check reports a code that is empty or too long.
func (c ApplyCode) Check() error { return validationError(codeProblem("discountCode", c.Code)) }

// Check reports a code that is empty or too long.
func (c RemoveCode) Check() error { return validationError(codeProblem("discountCode", c.Code)) }

// Check reports attributes beyond their limits.
func (c SetAttributes) Check() error {
	return validationError(attributeProblems("attributes", c.Attributes))
}

func (c SetCodes) apply(next *Cart) error { //nolint:unparam // one command of several
	next.Codes = newCodes(c.Codes)
	return nil
}

func (c ApplyCode) apply(next *Cart) error {
	codes := append(next.CodeList(), c.Code)
	next.Codes = newCodes(codes)
	return validationError(codeProblems(next.CodeList()))
}

// checkApplied refuses c with the reason for which its code did not apply.
func (c ApplyCode) checkApplied(totals pricing.Totals) error {
	for _, x := range totals.Codes {
		if x.Code == discount.NormalizeCode(c.Code) && !x.Applied {
			return x.Refusal.WithData("code", x.Code)
		}
	}
	return nil
}

func (c RemoveCode) apply(next *Cart) error { //nolint:unparam // one command of several
	next.Codes = slices.DeleteFunc(slices.Clone(next.Codes), func(x Code) bool { return x.Code == discount.NormalizeCode(c.Code) })
	return nil
}

func (c SetAttributes) apply(next *Cart) error { //nolint:unparam // one command of several
	next.Attributes = nilIfEmpty(c.Attributes)
	return nil
}

// newCodes returns a normalized list without duplicates; pricing has not checked the codes yet.
func newCodes(texts []string) (codes []Code) {
	for _, text := range discount.NormalizeCodes(texts) {
		codes = append(codes, Code{Code: text})
	}
	return codes
}
