package order

import "time"

// DueUnpaid reports whether o was placed hours ago and nothing was paid for it, so that what it took is to be
// freed; 0 hours is never. One that is on hold waits for its operator. Orders of other systems took nothing. Rule orders-19.
func (o Order) DueUnpaid(hours int64, now time.Time) bool {
	unpaid := (o.Status == Pending || o.Status == Failed) && o.Paid.IsZero() && !o.Canceling() && o.Hold == ""
	return hours > 0 && unpaid && o.Source != FromAPI && !now.Before(o.PlacedAt.Add(time.Duration(hours)*time.Hour))
}
