package discount

import (
	"math/big"
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/domain/money"
)

// Order is what a code is judged against.
type Order struct {
	Currency money.Currency // "": not known
	Rounding money.Rounding
	Market   string      // id; "": none
	Subtotal money.Money // whole order before any discount
	Lines    []Line
	Now      time.Time
}

// Line is one line of an order.
type Line struct {
	Product    string
	Categories []string
	Left       money.Money // its total, less what earlier codes took
	Ships      bool
}

// Result is what a usable code gives. Shares stands beside Order.Lines and sums up to Amount; no share passes its line's Left.
type Result struct {
	Amount       money.Money
	Shares       []money.Money
	FreeShipping bool
}

// Evaluate judges c against o, whatever other codes there are. A percentage is computed once on the eligible lines,
// rounded once and spread by largest remainder. Errors: the faults of this package, money.ErrOutOfRange. Contract 6.
func Evaluate(c Candidate, o Order) (Result, error) {
	d := c.Discount
	if d == nil {
		if c.Refused != nil {
			return Result{}, c.Refused
		}
		return Result{}, ErrNotFound
	}
	if err := d.open(c, o); err != nil {
		return Result{}, err
	}
	if d.dependsOnAmount() && (o.Currency == "" || o.Currency != d.Currency) {
		return Result{}, ErrContextRequired
	}
	if d.MinOrder != nil && o.Subtotal.Minor < d.MinOrder.Minor {
		return Result{}, ErrMinOrder
	}
	weights, base, some := d.eligible(o)
	if !some {
		return Result{}, ErrNotApplicable
	}
	r := Result{Amount: money.Of(0, o.Currency), FreeShipping: d.Type == FreeShipping}
	amount, err := d.amount(base, o.Rounding)
	if err != nil {
		return Result{}, err
	}
	if d.MaxAmount != nil {
		amount = min(amount, d.MaxAmount.Minor)
	}
	amount = max(0, min(amount, base))
	r.Amount = money.Of(amount, o.Currency)
	for _, part := range money.Spread(amount, weights) {
		r.Shares = append(r.Shares, money.Of(part, o.Currency))
	}
	return r, nil
}

// open checks what does not depend on amounts.
func (d *Discount) open(c Candidate, o Order) error {
	switch {
	case !d.Active:
		return ErrInactive
	case !d.StartsAt.IsZero() && o.Now.Before(d.StartsAt):
		return ErrNotStarted
	case !d.EndsAt.IsZero() && !o.Now.Before(d.EndsAt):
		return ErrExpired
	case d.UsageLimit > 0 && c.Uses >= d.UsageLimit:
		return ErrUsageLimit
	case d.PerCustomerLimit > 0 && c.OwnUses >= d.PerCustomerLimit:
		return ErrCustomerLimit
	case len(d.Markets) > 0 && !slices.Contains(d.Markets, o.Market):
		return ErrNotApplicable
	}
	return nil
}

func (d *Discount) dependsOnAmount() bool {
	return d.Type == FixedAmount || d.Type == Tiered || d.MinOrder != nil || d.MaxAmount != nil
}

// eligible weighs each line with what the code may take from it. A free-shipping code looks for lines that ship.
func (d *Discount) eligible(o Order) (weights []int64, base int64, some bool) {
	weights = make([]int64, len(o.Lines))
	for i, l := range o.Lines {
		if !d.covers(l) || d.Type == FreeShipping && !l.Ships {
			continue
		}
		some = true
		weights[i] = l.Left.Minor
		base += l.Left.Minor
	}
	return weights, base, some
}

func (d *Discount) covers(l Line) bool {
	if len(d.Products) == 0 && len(d.Categories) == 0 {
		return true
	}
	return slices.Contains(d.Products, l.Product) ||
		slices.ContainsFunc(l.Categories, func(c string) bool { return slices.Contains(d.Categories, c) })
}

// amount is what the code takes off base, in minor units, before caps.
func (d *Discount) amount(base int64, r money.Rounding) (int64, error) {
	switch d.Type {
	case Percentage, FixedAmount:
		return share(d.Type, d.Value, base, d.Currency, r)
	case Tiered:
		best := -1
		for i, t := range d.Tiers {
			if base >= t.From.Minor && (best < 0 || t.From.Minor > d.Tiers[best].From.Minor) {
				best = i
			}
		}
		if best < 0 {
			return 0, ErrMinOrder
		}
		return share(d.Tiers[best].Type, d.Tiers[best].Value, base, d.Currency, r)
	default: // free shipping takes nothing off
	}
	return 0, nil
}

func share(t Type, value money.Decimal, base int64, c money.Currency, r money.Rounding) (int64, error) {
	if t == Percentage {
		return r.Round(new(big.Rat).Mul(big.NewRat(base, 100), value.Rat()))
	}
	m, err := money.Parse(value.String(), c)
	return m.Minor, err
}
