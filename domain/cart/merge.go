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

// Adopt asks for a guest's cart to become a customer's. A cart that is theirs already stays so.
type Adopt struct {
	Customer string // id
	Facts    Facts
}

func (c Adopt) facts() Facts { return c.Facts }

// Check finds nothing: a customer is looked up, not sent.
func (Adopt) Check() error { return nil }

func (c Adopt) apply(next *Cart) (err error) {
	next.Customer, err = owner(next.Customer, c.Customer)
	return err
}

// Warning says that fewer units of a variant were kept than two carts held together.
type Warning struct {
	Variant         string
	Requested, Kept int64
}

// Union is two carts after the source was merged into the target, and what did not fit, in line order.
type Union struct {
	Source, Target Cart
	Warnings       []Warning
}

// CheckMerge refuses to merge a cart with itself. Errors: fault.ErrValidation.
func CheckMerge(source, target string) error {
	if source == target {
		return fault.Invalidf("targetCartId", "A cart cannot be merged with itself.")
	}
	return nil
}

// Merge puts source into target at now. customer is who asks, "" for a guest or the shop's server; the target becomes theirs
// unless it belongs to one already. Quantities of equal lines add up, as far as there is stock; admissions go along. Codes
// unite, the target's first; of attributes the target's win. f is for the market that either cart is locked to.
// Both carts grow by one revision, the source keeps its lines as they were. Errors: ErrNotActive, ErrCustomerMismatch,
// ErrMarketMismatch, ErrLineLimit, fault.ErrValidation, money.ErrOutOfRange. Contract 5.
func Merge(source, target Cart, customer string, f Facts, now time.Time) (Union, error) {
	if err := mergeable(source, target, now); err != nil {
		return Union{}, err
	}
	next, err := united(source, target, customer)
	if err != nil {
		return Union{}, err
	}
	if f.Market != next.Market {
		return Union{}, fmt.Errorf("cart %q: facts for market %q were given for %q", next.ID, f.Market, next.Market)
	}
	warnings := next.limit(f)
	if len(next.Lines) > MaxLines {
		return Union{}, ErrLineLimit
	}
	seen := target // what the shopper saw of each line, in either cart
	seen.Lines = slices.Concat(target.Lines, source.Lines)
	if _, err := next.price(seen, f, now); err != nil {
		return Union{}, err
	}
	next.step(now)
	source.Status, source.UpdatedAt = Merged, next.UpdatedAt
	source.Revision++
	source.Sequence++
	return Union{source, next, warnings}, nil
}

// MergedMarket is the market of a cart that source and target become, "" for none. Errors: ErrMarketMismatch.
func MergedMarket(source, target Cart) (string, error) {
	if source.Market != "" && target.Market != "" && source.Market != target.Market {
		return "", ErrMarketMismatch.With("currentRevision", target.Revision)
	}
	return cmp.Or(target.Market, source.Market), nil
}

func mergeable(source, target Cart, now time.Time) error {
	for _, c := range []Cart{source, target} {
		if c.StatusAt(now) != Active {
			return ErrNotActive.With("cartId", c.ID).With("currentRevision", c.Revision)
		}
	}
	return nil
}

// united is target with everything of source, without prices and bounds of quantities.
func united(source, target Cart, customer string) (next Cart, err error) {
	next = target
	for _, id := range []string{source.Customer, customer} {
		if next.Customer, err = owner(next.Customer, id); err != nil {
			return next, err
		}
	}
	if next.Market, err = MergedMarket(source, target); err != nil {
		return next, err
	}
	next.Lines = slices.Clone(target.Lines)
	for _, l := range source.Lines {
		next.take(l)
	}
	next.Codes = listed(append(target.CodeTexts(), source.CodeTexts()...))
	next.Attributes = maps.Clone(source.Attributes)
	if next.Attributes == nil {
		next.Attributes = map[string]string{}
	}
	maps.Copy(next.Attributes, target.Attributes)
	next.Attributes = canonical(next.Attributes)
	return next, refuse(append(codeProblems(next.CodeTexts()), attributeProblems("attributes", next.Attributes)...))
}

// owner is the one customer of two, either of which may be "". Errors: ErrCustomerMismatch.
func owner(one, other string) (string, error) {
	if one != "" && other != "" && one != other {
		return one, ErrCustomerMismatch
	}
	return cmp.Or(one, other), nil
}

// take lets the line of the same variant and attributes take l in, or adds l.
func (c *Cart) take(l Line) {
	i := c.same(l.Variant, l.Attributes)
	if i < 0 {
		c.Lines = append(c.Lines, l)
		return
	}
	c.Lines[i].Quantity += l.Quantity
	c.Lines[i].Admissions = slices.Concat(c.Lines[i].Admissions, l.Admissions)
}

// limit lowers quantities to what a line holds and to what is on hand, earlier lines first; a line of nothing goes. Who
// does not fit in was admitted last. What is not on sale is left alone: nobody knows how much there will be of it.
func (c *Cart) limit(f Facts) (warnings []Warning) {
	asked, variants := c.demand(), c.Variants()
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
	kept := c.demand()
	for _, id := range variants {
		if kept[id] < asked[id] {
			warnings = append(warnings, Warning{id, asked[id], kept[id]})
		}
	}
	return warnings
}

// step is one applied change at now.
func (c *Cart) step(now time.Time) {
	c.Revision++
	c.Sequence++
	c.UpdatedAt = collection.Instant(now)
	c.ExpiresAt = c.UpdatedAt.Add(Lifetime)
}
