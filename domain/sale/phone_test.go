package sale_test

import (
	"testing"

	"github.com/cartwright-dev/cartwright/domain/sale"
)

func TestNumbersOfABuyerAreDialedWhereTheGoodsGo(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		to          *sale.Address
		home, typed string
		want        string
	}{
		"where the goods go":             {&sale.Address{Country: "US"}, "KR", "(503) 555-0123", "+15035550123"},
		"an address without a country":   {&sale.Address{}, "KR", "010-1234-5678", "+821012345678"},
		"nothing ships":                  {nil, "KR", "010 1234 5678", "+821012345678"},
		"the country is said":            {nil, "", "+81 90-1234-5678", "+819012345678"},
		"nobody knows where it is":       {nil, "", "010-1234-5678", ""},
		"no number":                      {nil, "KR", "ask me", ""},
		"what was sent is not looked at": {nil, "KR", "", ""},
	} {
		got := sale.Contact{Phone: c.typed, PhoneE164: "+1"}.Complete(sale.CountryOf(c.to, c.home))
		if got.PhoneE164 != c.want || got.Phone != c.typed {
			t.Errorf("%s: %+v", name, got)
		}
		if read := sale.ContactFrom(got.Record()); read != got {
			t.Errorf("%s: stored as %+v", name, read)
		}
	}
}

func TestNumbersOfAdmissionsAreDialedInTheShop(t *testing.T) {
	t.Parallel()
	given := []sale.Admission{{Name: "Kim", Phone: "010-1234-5678", PhoneE164: "+1"}, {Name: "Lee"}}
	got := sale.CompleteAdmissions(given, "KR")
	if got[0].PhoneE164 != "+821012345678" || got[1].PhoneE164 != "" || given[0].PhoneE164 != "+1" {
		t.Errorf("%+v of %+v", got, given)
	}
}
