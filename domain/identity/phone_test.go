package identity_test

import (
	"testing"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
)

func TestNumbersOfCustomersAreDialedWhereTheyLive(t *testing.T) {
	t.Parallel()
	at := func(country string, isDefault bool) collection.Record {
		return collection.Record{"country": country, "isDefault": isDefault}
	}
	for name, c := range map[string]struct {
		phone     string
		addresses []collection.Record
		home      string
		want      any
	}{
		"in the country of their default address": {"(503) 555-0123", []collection.Record{at("KR", false), at("US", true)}, "KR", "+15035550123"},
		"else in the shop's":                      {"010-1234-5678", []collection.Record{at("US", false)}, "KR", "+821012345678"},
		"their address says no country":           {"010-1234-5678", []collection.Record{at("", true)}, "KR", "+821012345678"},
		"nobody knows where":                      {"010-1234-5678", nil, "", nil},
		"they took it away":                       {"", nil, "KR", nil},
	} {
		given := collection.Record{"phone": c.phone, "addresses": c.addresses, "phoneE164": "+1"}
		got := identity.CompletePhone(given, c.home)
		if got["phoneE164"] != c.want || given["phoneE164"] != "+1" {
			t.Errorf("%s: %v of %v", name, got, given)
		}
	}
}

func TestAMergedNumberKeepsItsForms(t *testing.T) {
	t.Parallel()
	from := collection.Record{"phone": "010-1234-5678", "phoneE164": "+821012345678"}
	if got := identity.Merge(collection.Record{}, from); got["phone"] != from["phone"] || got["phoneE164"] != from["phoneE164"] {
		t.Errorf("%v", got)
	}
	own := collection.Record{"phone": "02-123-4567", "phoneE164": "+8221234567"}
	if got := identity.Merge(own, from); got["phone"] != own["phone"] || got["phoneE164"] != own["phoneE164"] {
		t.Errorf("%v", got)
	}
}
