package placement

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"time"

	"github.com/cartwright-dev/cartwright/app/timezone"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// MaxNumberAttempts is how often an order number is drawn when it is taken. The last ones are so long, or so far on, that
// nobody has them.
const MaxNumberAttempts = 8

// Numbers makes order numbers in the formats of the shops. Rules orders-13, shop-5.
type Numbers struct {
	Tenants ports.APIKeys     // has the formats; nil: all shops have the default one
	Counts  ports.OrderCounts // of formats that count; needed with Tenants
	Now     func() time.Time
}

// At is n by this clock, unless it has one.
func (n Numbers) At(now func() time.Time) Numbers {
	if n.Now == nil {
		n.Now = now
	}
	return n
}

// Draw makes an order number after attempt others that are taken. Call it before the transaction that places the order: it
// may need one of its own.
func (n Numbers) Draw(ctx context.Context, t tenant.ID, env tenant.Environment, attempt int) (string, error) {
	format, day, err := n.format(ctx, t)
	if err != nil {
		return "", err
	}
	if !format.Sequential() {
		var random [8]byte
		_, _ = rand.Read(random[:]) // never fails
		return format.Drawn(day, binary.BigEndian.Uint64(random[:]), attempt), nil
	}
	count, err := n.Counts.Next(ctx, t, env, format.Series(day), order.SequenceStep(attempt))
	return format.Counted(day, count), err
}

// format is a shop's format, and the time in its zone.
func (n Numbers) format(ctx context.Context, t tenant.ID) (order.NumberFormat, time.Time, error) {
	if n.Tenants == nil {
		return order.DefaultNumberFormat, n.Now().UTC(), nil
	}
	shop, err := n.Tenants.Tenant(ctx, t)
	if err != nil {
		return "", time.Time{}, err
	}
	zone, err := timezone.Load(shop.TimeZone)
	if err != nil { // of a server that knew more zones than this one
		zone = time.UTC
	}
	return cmp.Or(order.NumberFormat(shop.OrderNumberFormat), order.DefaultNumberFormat), n.Now().In(zone), nil
}

// WithFreshNumber runs place with a fresh order number until that one is free. Errors: those of place,
// fault.ErrUnavailable in place of ports.ErrDuplicate, because a retry draws new numbers.
func (n Numbers) WithFreshNumber(
	ctx context.Context, t tenant.ID, env tenant.Environment, place func(number string) error,
) error {
	var taken error
	for attempt := range MaxNumberAttempts {
		number, err := n.Draw(ctx, t, env, attempt)
		if err != nil {
			return err
		}
		if taken = place(number); !errors.Is(taken, ports.ErrDuplicate) {
			return taken
		}
	}
	return fault.ErrUnavailable.WithCause(taken)
}
