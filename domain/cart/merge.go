package cart

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

// AssignCustomer makes a guest's cart a customer's. Assigning it to its own customer again changes nothing
// else.
type AssignCustomer struct {
	Customer string // id
	Facts    Facts
}

func (c AssignCustomer) facts() Facts { return c.Facts }

// Check returns nil: the customer is looked up by the server, not sent by a client.
func (AssignCustomer) Check() error { return nil }

func (c AssignCustomer) apply(next *Cart) (err error) {
	next.Customer, err = commonCustomer(next.Customer, c.Customer)
	return err
}

// MergeWarning reports a variant of which the merged cart has fewer units than both carts had together.
type MergeWarning struct {
	Variant         string
	Requested, Kept int64
}

// MergeResult is both carts after a merge. Warnings are in line order.
type MergeResult struct {
	Source, Target Cart
	Warnings       []MergeWarning
}

// CheckMerge refuses to merge a cart with itself. Errors: fault.ErrValidation.
func CheckMerge(source, target string) error {
	if source == target {
		return fault.Invalidf("targetCartId", "A cart cannot be merged with itself.")
	}
	return nil
}

// Merge merges source into target at now. customer is the calling customer, "" for a guest or the tenant's
// server; a target without a customer becomes theirs. Quantities and admissions of equal lines add up, as far
// as the stock allows. The target's codes come before the source's; for an attribute that both have, the
// target's value is used. f must be for MergedMarket. The revision of both carts rises by one; the source
// keeps its lines. Errors: ErrNotActive, ErrCustomerMismatch, ErrMarketMismatch, ErrLineLimit,
// ErrTooLarge, fault.ErrValidation, money.ErrOutOfRange. Rules carts-20, carts-21, carts-23.
func Merge(source, target Cart, customer string, f Facts, now time.Time) (MergeResult, error) {
	if err := checkMergeable(source, target, now); err != nil {
		return MergeResult{}, err
	}
	next, err := combine(source, target, customer)
	if err != nil {
		return MergeResult{}, err
	}
	if f.Market != next.Market {
		return MergeResult{}, fmt.Errorf("cart %q: facts for market %q were given for %q", next.ID, f.Market, next.Market)
	}
	warnings := next.limitQuantities(f)
	if len(next.Lines) > MaxLines {
		return MergeResult{}, ErrLineLimit
	}
	seen := target // the lines of both carts as the shopper last saw them
	seen.Lines = slices.Concat(target.Lines, source.Lines)
	if _, err := next.reprice(seen, f, now); err != nil {
		return MergeResult{}, err
	}
	if err := next.checkSize(target); err != nil {
		return MergeResult{}, err
	}
	next.bumpRevision(now)
	source.Status, source.UpdatedAt = Merged, next.UpdatedAt
	source.Revision++
	source.Sequence++
	return MergeResult{source, next, warnings}, nil
}

// MergedMarket is the market of the merged cart, "" for none. Errors: ErrMarketMismatch.
func MergedMarket(source, target Cart) (string, error) {
	if source.Market != "" && target.Market != "" && source.Market != target.Market {
		return "", ErrMarketMismatch.WithData("currentRevision", target.Revision)
	}
	return cmp.Or(target.Market, source.Market), nil
}

func checkMergeable(source, target Cart, now time.Time) error {
	for _, c := range []Cart{source, target} {
		if c.StatusAt(now) != Active {
			return ErrNotActive.WithData("cartId", c.ID).WithData("currentRevision", c.Revision)
		}
	}
	return nil
}

// combine adds everything of source to a copy of target; quantities are not limited and prices not computed
// yet.
func combine(source, target Cart, customer string) (next Cart, err error) {
	next = target
	for _, id := range []string{source.Customer, customer} {
		if next.Customer, err = commonCustomer(next.Customer, id); err != nil {
			return next, err
		}
	}
	if next.Market, err = MergedMarket(source, target); err != nil {
		return next, err
	}
	next.Lines = slices.Clone(target.Lines)
	for _, l := range source.Lines {
		next.addLine(l)
	}
	next.Codes = newCodes(append(target.CodeList(), source.CodeList()...))
	next.Attributes = maps.Clone(source.Attributes)
	if next.Attributes == nil {
		next.Attributes = map[string]string{}
	}
	maps.Copy(next.Attributes, target.Attributes)
	next.Attributes = nilIfEmpty(next.Attributes)
	return next, validationError(append(codeProblems(next.CodeList()), attributeProblems("attributes", next.Attributes)...))
}

// commonCustomer returns the customer of two ids, either of which may be "". Errors: ErrCustomerMismatch.
func commonCustomer(one, other string) (string, error) {
	if one != "" && other != "" && one != other {
		return one, ErrCustomerMismatch
	}
	return cmp.Or(one, other), nil
}

// addLine adds l to the line of the same variant and attributes, or as a new line.
func (c *Cart) addLine(l Line) {
	i := c.findLine(l.Variant, l.Attributes)
	if i < 0 {
		c.Lines = append(c.Lines, l)
		return
	}
	c.Lines[i].Quantity += l.Quantity
	c.Lines[i].Admissions = slices.Concat(c.Lines[i].Admissions, l.Admissions)
}

// limitQuantities caps lines at MaxQuantity and stock on hand, earlier lines first. Lines at 0 are removed;
// surplus admissions are cut from the end. Variants that are not on sale are not limited, since their stock
// may change before they are on sale again.
func (c *Cart) limitQuantities(f Facts) (warnings []MergeWarning) {
	asked, variants := c.unitsByVariant(), c.Variants()
	left := map[string]int64{}
	for id, offer := range f.Offers {
		if offer.Sellable && offer.Stock.Tracked {
			left[id] = max(0, offer.Stock.OnHand)
		}
	}
	lines := c.Lines
	c.Lines = nil
	for _, l := range lines {
		l.Quantity = min(l.Quantity, MaxQuantity)
		if stock, limited := left[l.Variant]; limited {
			l.Quantity = min(l.Quantity, stock)
			left[l.Variant] -= l.Quantity
		}
		if n := int(l.Quantity); len(l.Admissions) > n {
			l.Admissions = l.Admissions[:n:n]
		}
		if l.Quantity > 0 {
			c.Lines = append(c.Lines, l)
		}
	}
	kept := c.unitsByVariant()
	for _, id := range variants {
		if kept[id] < asked[id] {
			warnings = append(warnings, MergeWarning{id, asked[id], kept[id]})
		}
	}
	return warnings
}

// bumpRevision records one applied change at now.
func (c *Cart) bumpRevision(now time.Time) {
	c.Revision++
	c.Sequence++
	c.UpdatedAt = collection.TruncateTime(now)
	c.ExpiresAt = c.UpdatedAt.Add(Lifetime)
}
