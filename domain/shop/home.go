package shop

import (
	"cmp"

	"github.com/cartwright-dev/cartwright/domain/money"
)

// Home is what a new shop starts with because of where it is.
type Home struct {
	TimeZone string // IANA name
	Locale   string // BCP 47 tag
}

// HomeOf is the home of a new shop in a country, an ISO 3166-1 code; "" is the country of its currency, whose code begins with the
// country's. A country with several time zones has that of most of its people. Rule shop-7.
func HomeOf(country string, c money.Currency) Home {
	if country == "" && c.Valid() {
		country = string(c[:2])
	}
	h := homes[country]
	return Home{cmp.Or(h.TimeZone, "UTC"), cmp.Or(h.Locale, "en")}
}

// homes are the homes of countries; EU is where one pays in euros. Where people speak several languages, no locale is named.
var homes = map[string]Home{
	"AT": {"Europe/Vienna", "de"}, "AU": {"Australia/Sydney", "en"}, "BE": {"Europe/Brussels", ""}, "BR": {"America/Sao_Paulo", "pt-BR"},
	"CA": {"America/Toronto", ""}, "CH": {"Europe/Zurich", ""}, "CN": {"Asia/Shanghai", "zh-Hans"}, "CZ": {"Europe/Prague", "cs"},
	"DE": {"Europe/Berlin", "de"}, "DK": {"Europe/Copenhagen", "da"}, "ES": {"Europe/Madrid", "es"}, "EU": {"Europe/Brussels", ""},
	"FI": {"Europe/Helsinki", ""}, "FR": {"Europe/Paris", "fr"}, "GB": {"Europe/London", "en"}, "GR": {"Europe/Athens", "el"},
	"HK": {"Asia/Hong_Kong", "zh-Hant"}, "ID": {"Asia/Jakarta", "id"}, "IE": {"Europe/Dublin", "en"}, "IN": {"Asia/Kolkata", ""},
	"IT": {"Europe/Rome", "it"}, "JP": {"Asia/Tokyo", "ja"}, "KR": {"Asia/Seoul", "ko"}, "MX": {"America/Mexico_City", "es"},
	"NL": {"Europe/Amsterdam", "nl"}, "NO": {"Europe/Oslo", "nb"}, "NZ": {"Pacific/Auckland", "en"}, "PL": {"Europe/Warsaw", "pl"},
	"PT": {"Europe/Lisbon", "pt"}, "SE": {"Europe/Stockholm", "sv"}, "SG": {"Asia/Singapore", "en"}, "TH": {"Asia/Bangkok", "th"},
	"TW": {"Asia/Taipei", "zh-Hant"}, "US": {"America/New_York", "en"}, "VN": {"Asia/Ho_Chi_Minh", "vi"},
}
