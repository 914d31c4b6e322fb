package money_test

import (
	"errors"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
)

// FuzzAmount: every text is either an amount that survives a round trip, or refused as invalid input.
func FuzzAmount(f *testing.F) {
	for _, s := range []string{
		"0", "-0", "19.99", "1e3", "1E400", "1e-400", "0e999", "12345678901234567890", "0.10", ".5", "5.", "--1", "1e", "1e+2", "1500e-2",
		"٣",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, c := range []money.Currency{"KRW", "USD", "KWD"} {
			m, err := money.Parse(text, c)
			if err != nil {
				if f, ok := errors.AsType[*fault.Error](err); !ok || f.Kind != fault.Invalid {
					t.Fatalf("%q: %v", text, err)
				}
				continue
			}
			if again, err := money.Parse(m.Major(), c); err != nil || again != m || m.Minor > money.Max || m.Minor < -money.Max {
				t.Fatalf("%q is %v, written %q and read %v, %v", text, m, m.Major(), again, err)
			}
		}
		d, err := money.ParseDecimal(text)
		if err != nil {
			return
		}
		if again, err := money.ParseDecimal(d.String()); err != nil || again != d {
			t.Fatalf("%q is %v and read %v, %v", text, d, again, err)
		}
	})
}
