package shop_test

import (
	"testing"

	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/shop"
)

// Rule shop-7.
func TestNewShopIsAtHome(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		country  string
		currency money.Currency
		want     shop.Home
	}{
		"won are of Korea":                       {"", "KRW", shop.Home{TimeZone: "Asia/Seoul", Locale: "ko"}},
		"yen are of Japan":                       {"", "JPY", shop.Home{TimeZone: "Asia/Tokyo", Locale: "ja"}},
		"dollars are of the United States":       {"", "USD", shop.Home{TimeZone: "America/New_York", Locale: "en"}},
		"pounds are of the United Kingdom":       {"", "GBP", shop.Home{TimeZone: "Europe/London", Locale: "en"}},
		"euros are of no country":                {"", "EUR", shop.Home{TimeZone: "Europe/Brussels", Locale: "en"}},
		"the country counts before the currency": {"KR", "USD", shop.Home{TimeZone: "Asia/Seoul", Locale: "ko"}},
		"a country of several languages":         {"CA", "CAD", shop.Home{TimeZone: "America/Toronto", Locale: "en"}},
		"an unknown country":                     {"AQ", "USD", shop.Home{TimeZone: "UTC", Locale: "en"}},
		"no currency":                            {"", "W", shop.Home{TimeZone: "UTC", Locale: "en"}},
	} {
		if got := shop.HomeOf(c.country, c.currency); got != c.want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
