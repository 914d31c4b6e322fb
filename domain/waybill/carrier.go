// Package waybill is what carriers and their files have in common: names of carriers, the numbers on their parcels, and
// the columns of the files in which shops and carriers tell each other about them.
//
// Decisions: a carrier is known by its code here and by the names that marketplaces, trackers and people use for it, two of
// which are older than the companies' names: HYUNDAI is Lotte, KGB is Logen. Case, spaces and punctuation do not matter.
// A tracking number is written as the carrier prints it, without the spaces and hyphens that only help the eye. Of the five
// Korean carriers the count of digits is known, and another count is refused: it is the trace of a typing mistake, of the
// wrong carrier, or of a leading zero that a spreadsheet dropped. Where a carrier has numbers of another form all the same,
// an operator makes the fulfilment by hand.
//
// A formula in a column that is read is refused, in every format and whether a file keeps what it came to or not: what it
// came to elsewhere need not be what the sender saw. Order numbers are the shop's, and looked up as they are written first.
package waybill

import (
	"strings"
	"unicode"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
)

// ErrCarrier says that no carrier has such a name.
var ErrCarrier = fault.New(fault.Unprocessable, "carrier_unknown", "No carrier has this name.")

// aliases are the names of carriers besides their codes, as plain makes them: codes of Naver, Coupang and Kakao, of PortOne
// and of tracker.delivery, and what people write.
var aliases = map[order.Carrier][]string{
	order.CJ:           {"CJGLS", "CJ Logistics", "CJ Korea Express", "CJ택배", "CJ대한통운", "CJ대한통운택배", "씨제이대한통운", "대한통운", "대한통운택배", "kr.cjlogistics"},
	order.Hanjin:       {"Hanjin Express", "한진", "한진택배", "kr.hanjin"},
	order.Lotte:        {"HYUNDAI", "LOTTEGLOBAL", "Lotte Global Logistics", "롯데", "롯데택배", "롯데글로벌로지스", "현대", "현대택배", "kr.lotte"},
	order.EPost:        {"REGISTPOST", "POST", "POST_REGISTERED", "Korea Post", "우체국", "우체국택배", "우편등기", "등기", "우체국등기", "kr.epost"},
	order.Logen:        {"KGB", "Logen Logistics", "로젠", "로젠택배", "KGB택배", "kr.logen"},
	order.UPS:          {"United Parcel Service", "유피에스"},
	order.FedEx:        {"Federal Express", "페덱스"},
	order.DHL:          {"DHL Express", "디에이치엘"},
	order.EMS:          {"국제우편", "우체국EMS", "국제특송EMS"},
	order.OtherCarrier: {"기타", "기타택배", "etc"},
}

// named is every name by what plain makes of it.
var named = func() map[string]order.Carrier {
	all := map[string]order.Carrier{}
	for _, c := range order.Carriers {
		all[plain(string(c))] = c
		for _, name := range aliases[c] {
			all[plain(name)] = c
		}
	}
	return all
}()

// Named is the carrier with a code or name, however it is written. Errors: ErrCarrier.
func Named(text string) (order.Carrier, error) {
	if c, ok := named[plain(text)]; ok {
		return c, nil
	}
	codes := make([]string, len(order.Carriers))
	for i, c := range order.Carriers {
		codes[i] = string(c)
	}
	if strings.TrimSpace(text) == "" {
		return "", ErrCarrier.Saying("The carrier is missing. Write one of: %s.", strings.Join(codes, ", "))
	}
	return "", ErrCarrier.Saying("The carrier %q is not known. Write one of: %s.", brief(text), strings.Join(codes, ", "))
}

// plain is text without case, spaces, punctuation and marks that cannot be seen.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}

// quoted is how many characters of a cell a sentence repeats.
const quoted = 40

// brief is text as a sentence repeats it.
func brief(text string) string {
	runes := []rune(text)
	if len(runes) <= quoted {
		return text
	}
	return string(runes[:quoted]) + "…"
}
