package shipping

import (
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// names are those of what a shop starts with.
type names struct{ policy, jeju, islands string }

// namesIn are the names in a language.
var namesIn = map[string]names{
	"en": {"Standard", "jeju", "islands"},
	"ja": {"通常配送", "済州島", "離島"},
	"ko": {"기본 배송", "제주", "도서산간"},
}

// namesFor are the names in a shop's default language, or else in English.
func namesFor(shop tenant.Settings) names {
	if len(shop.Locales) > 0 {
		if own, ok := namesIn[tenant.Language(shop.Locales[0])]; ok {
			return own
		}
	}
	return namesIn["en"]
}

// DefaultPolicy is the policy a new shop starts with: a fee of 3 000 in won, 0 in other currencies until
// the shop sets one. Rule shipping-9.
func DefaultPolicy(id string, shop tenant.Settings) collection.Record {
	fee, c := int64(3000), shop.Currency
	if c != "KRW" {
		fee = 0
	}
	return collection.Record{
		"id": id, "tenant": string(shop.ID), "title": namesFor(shop).policy, "baseFee": money.Of(fee, c), "currency": string(c),
		"zones": defaultZones(shop, c), "initialShippingRefund": string(RefundFullReturn), "isDefault": true,
	}
}

// defaultZones are the zones a new policy starts with when it names none: in Korea Jeju, and islands that carriers
// charge extra for, elsewhere none. Fees are 3 000 and 5 000 won; in another currency they start at 0. Shops edit them like
// any other field.
func defaultZones(shop tenant.Settings, c money.Currency) []collection.Record {
	if shop.Country != "KR" {
		return []collection.Record{}
	}
	jeju, islands := int64(3000), int64(5000)
	if c != "KRW" {
		jeju, islands = 0, 0
	}
	called := namesFor(shop)
	return []collection.Record{
		{"name": called.jeju, "ranges": ranges(jejuCodes), "extraFee": money.Of(jeju, c), "waivedWhenFree": false},
		{"name": called.islands, "ranges": ranges(islandCodes), "extraFee": money.Of(islands, c), "waivedWhenFree": false},
	}
}

func ranges(codes [][2]string) []collection.Record {
	rows := make([]collection.Record, len(codes))
	for i, c := range codes {
		rows[i] = collection.Record{"from": c[0], "to": c[1]}
	}
	return rows
}
