package carrier

import (
	"strings"
	"unicode"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
)

// ErrUnknownCarrier says that no carrier has this code or name.
var ErrUnknownCarrier = fault.New(fault.Unprocessable, "carrier_unknown", "No carrier has this name.")

// aliases are the names of carriers besides their codes, normalized: codes of Naver, Coupang and Kakao, of
// PortOne and of tracker.delivery, and names in everyday use.
var aliases = map[order.Carrier][]string{
	order.CJ: {
		"CJGLS", "CJ Logistics", "CJ Korea Express", "CJ택배", "CJ대한통운", "CJ대한통운택배", "씨제이대한통운", "대한통운", "대한통운택배", "kr.cjlogistics",
	},
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

// byName is the carrier of every normalized code and name.
var byName = func() map[string]order.Carrier {
	all := map[string]order.Carrier{}
	for _, c := range order.Carriers {
		all[normalize(string(c))] = c
		for _, name := range aliases[c] {
			all[normalize(name)] = c
		}
	}
	return all
}()

// ByName finds a carrier by a code or name, ignoring case, spaces and punctuation. Errors: ErrUnknownCarrier.
func ByName(text string) (order.Carrier, error) {
	if c, ok := byName[normalize(text)]; ok {
		return c, nil
	}
	codes := make([]string, len(order.Carriers))
	for i, c := range order.Carriers {
		codes[i] = string(c)
	}
	all := strings.Join(codes, ", ")
	if strings.TrimSpace(text) == "" {
		return "", ErrUnknownCarrier.WithMessage("The carrier is missing. Write one of: %s.", all).WithData("carriers", all)
	}
	return "", ErrUnknownCarrier.WithMessage("The carrier %q is not known. Write one of: %s.", Excerpt(text), all).WithData("carriers", all)
}

// normalize removes spaces, punctuation and invisible characters from text and ignores case.
func normalize(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}

// maxExcerpt is how many characters of a cell an error message quotes.
const maxExcerpt = 40

// Excerpt is text, shortened to show it.
func Excerpt(text string) string {
	runes := []rune(text)
	if len(runes) <= maxExcerpt {
		return text
	}
	return string(runes[:maxExcerpt]) + "…"
}
