package checkout_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/sale"
)

func TestCheckoutsAreBoundedInBytes(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 0)
	full := checkout.Checkout{Contact: sale.Contact{Email: "a@example.com"}}
	for i := range 8 { // a cart of 128 KiB
		full.Lines = append(full.Lines, sale.Line{ID: fmt.Sprint(i), Attributes: map[string]string{"n": strings.Repeat("x", 16_300)}})
	}
	longest := full
	longest.Contact.Name, longest.Contact.Phone = strings.Repeat("한", 200), strings.Repeat("1", 50)
	longest.Notes = strings.Repeat("한", 30_000)
	if _, err := checkout.Create(longest, "KR", now); err != nil {
		t.Errorf("a full cart: %v", err)
	}
	longest.Notes = strings.Repeat("한", 50_000)
	_, err := checkout.Create(longest, "KR", now)
	if !errors.Is(err, checkout.ErrTooLarge) || fault.From(err).Data["limit"] != int64(checkout.MaxBytes) {
		t.Errorf("long notes: %v", err)
	}
}
