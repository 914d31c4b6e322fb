package address_test

import (
	"errors"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/address"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

func TestAddressesOfRecordsAreChecked(t *testing.T) {
	t.Parallel()
	old := collection.Record{"label": "Old", "country": "US", "postalCode": "nonsense"}
	before := collection.Record{"addresses": []collection.Record{old}}
	next := collection.Record{"addresses": []collection.Record{
		old, {"label": "New", "country": "US", "province": "Oregon", "phone": "503-555-0123"},
	}}
	got, err := address.CheckIn(before, next, "addresses", "KR")
	if err != nil {
		t.Fatal(err)
	}
	rows := got.Rows("addresses")
	if rows[0].Text("postalCode") != "nonsense" || rows[1].Text("province") != "OR" || rows[1].Text("label") != "New" ||
		rows[1].Text("phoneE164") != "+15035550123" || next.Rows("addresses")[1].Text("province") != "Oregon" {
		t.Errorf("got %v, and %v is changed", got, next)
	}
	for field, to := range map[string]collection.Record{
		"address.postalCode": {"address": collection.Record{"country": "US", "postalCode": "9720"}},
		"address.country":    {"address": collection.Record{"country": "XX"}},
	} {
		_, err := address.CheckIn(nil, to, "address", "KR")
		if !errors.Is(err, fault.ErrValidation) || fault.From(err).Fields[0].Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	if got, err := address.CheckIn(nil, collection.Record{"address": nil}, "address", "KR"); err != nil || got["address"] != nil {
		t.Errorf("no address: %v, %v", got, err)
	}
}
