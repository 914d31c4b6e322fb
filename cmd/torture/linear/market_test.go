package linear_test

import (
	"errors"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/cmd/torture/linear"
)

// deal is a step of a test; sent and answered are its times.
type deal struct {
	sent, answered int64
	trade          linear.Trade
	result         linear.TradeResult
}

// step is a step of the purchase of two units, with a use of the code for checkouts below 10.
func step(sent, answered int64, what linear.Step, checkout int, refusal string) deal {
	uses := int64(1)
	if checkout >= 10 {
		uses = 0
	}
	return deal{sent, answered, linear.Trade{Step: what, Checkout: checkout, Units: 2, Uses: uses}, linear.TradeResult{Refusal: refusal}}
}

// lookAt is a look at the variant.
func lookAt(sent, answered, onHand, reserved int64) deal {
	return deal{sent, answered, linear.Trade{Step: linear.Look}, linear.TradeResult{OnHand: onHand, Reserved: reserved}}
}

// The market has five units and two uses: enough for two checkouts with the code.
func TestMarketExplainsPurchases(t *testing.T) {
	const open, leave, pay, undo = linear.Open, linear.Leave, linear.Pay, linear.Undo
	for name, c := range map[string]struct {
		deals    []deal
		possible bool
	}{
		"two buy, the third finds nothing": {[]deal{
			step(0, 1, open, 1, ""), step(2, 3, open, 2, ""), step(4, 5, pay, 1, ""), step(6, 7, pay, 2, ""), step(8, 9, open, 10, linear.NoUnits),
		}, true},
		"units are sold twice": {[]deal{step(0, 1, open, 1, ""), step(2, 3, open, 2, ""), step(4, 5, open, 10, "")}, false},
		"a refusal with units left": {[]deal{
			step(0, 1, open, 1, ""), step(2, 3, open, 10, linear.NoUnits),
		}, false},
		"a refusal while a session may have the units": {[]deal{
			step(0, 9, open, 1, ""), step(1, 8, open, 10, ""), step(2, 7, open, 11, linear.NoUnits),
		}, true},
		"units come back from a session that was left": {[]deal{
			step(0, 1, open, 1, ""), step(2, 3, open, 10, ""), step(4, 5, leave, 1, ""), step(6, 7, open, 11, ""),
		}, true},
		"units are lost with a session that was left": {[]deal{
			step(0, 1, open, 10, ""), step(2, 3, open, 11, ""), step(4, 5, leave, 10, ""), step(6, 7, open, 12, linear.NoUnits),
		}, false},
		"uses come back with a canceled order": {[]deal{
			step(0, 1, open, 1, ""), step(2, 3, pay, 1, ""), step(4, 5, undo, 1, ""), step(6, 7, open, 2, ""), step(8, 9, open, 3, ""),
		}, true},
		"a use too many": {[]deal{
			step(0, 1, open, 1, ""), step(2, 3, pay, 1, ""), step(4, 5, undo, 1, ""), step(6, 7, open, 2, ""), step(8, 9, open, 3, linear.NoUses),
		}, false},
		"two windows, one slot":  {[]deal{step(0, 9, open, 1, ""), step(0, 9, open, 1, linear.SlotHeld)}, true},
		"two windows, two slots": {[]deal{step(0, 9, open, 1, ""), step(0, 9, open, 1, "")}, false},
		"a slot that nobody has": {[]deal{step(0, 1, open, 1, linear.SlotHeld)}, false},
		"an order without a slot": {[]deal{
			step(0, 1, open, 1, ""), step(2, 3, leave, 1, ""), step(4, 5, pay, 1, ""),
		}, false},
		"the stock at each time": {[]deal{
			lookAt(0, 1, 5, 0), step(2, 3, open, 1, ""), lookAt(4, 5, 5, 2), step(6, 7, pay, 1, ""), lookAt(8, 9, 3, 0),
			step(10, 11, undo, 1, ""), lookAt(12, 13, 5, 0),
		}, true},
		"the stock of before": {[]deal{step(0, 1, open, 1, ""), lookAt(2, 3, 5, 0)}, false},
		"another reason":      {[]deal{step(0, 1, open, 1, "checkout_not_open")}, false},
	} {
		t.Run(name, func(t *testing.T) {
			h := linear.NewMarketHistory(linear.Market{Units: 5, Uses: 2})
			for i, d := range c.deals {
				h.RecordTrade(i, d.trade, d.sent, d.result, d.answered)
			}
			if err := h.Check(time.Minute); (err == nil) != c.possible || err != nil && !errors.Is(err, linear.ErrImpossible) {
				t.Error(err)
			}
		})
	}
}
