package address_test

import (
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/address"
)

var (
	seoul    = address.Address{RecipientName: "Kim", Phone: "010-1234-5678", PostalCode: "06236", Address1: "152 Teheran-ro", Address2: "3F"}
	portland = address.Address{
		RecipientName: "Ann Lee", Phone: "(503) 555-0123", Country: "us", PostalCode: "97201", Province: "oregon", City: "Portland", Address1: "1 Main St",
	}
	tokyo = address.Address{
		RecipientName: "佐藤", Company: "カート株式会社", Country: "JP", PostalCode: "１５０−０００１", Province: "東京都", City: "渋谷区", Address1: "神宮前1-2-3",
	}
)

func TestAnAddressIsStoredInOneForm(t *testing.T) {
	t.Parallel()
	got := portland.Complete("KR")
	if got.Country != "US" || got.Province != "OR" || got.PhoneE164 != "+15035550123" || got.Phone != "(503) 555-0123" {
		t.Errorf("got %+v", got)
	}
	if got := tokyo.Complete("KR"); got.PostalCode != "150-0001" || got.Province != "13" {
		t.Errorf("got %+v", got)
	}
	if got := seoul.Complete("KR"); got.Country != "" || got.PhoneE164 != "+821012345678" {
		t.Errorf("got %+v", got)
	}
	if got := seoul.Complete(""); got.PhoneE164 != "" {
		t.Errorf("a number of no country: %+v", got)
	}
	strange := address.Address{Country: "XX", Province: "Nowhere", PostalCode: " a  1 ", PhoneE164: "+1", Phone: " call "}.Complete("")
	if want := (address.Address{Country: "XX", Province: "Nowhere", PostalCode: "A 1", Phone: "call"}); strange != want {
		t.Errorf("got %+v", strange)
	}
}

func TestEachCountryWantsItsParts(t *testing.T) {
	t.Parallel()
	change := func(a address.Address, change func(*address.Address)) address.Address {
		change(&a)
		return a
	}
	for name, c := range map[string]struct {
		to   address.Address
		home string
		want string
	}{
		"Seoul":                           {seoul, "KR", ""},
		"Seoul, of a shop somewhere":      {seoul, "", ""},
		"Portland":                        {portland, "KR", ""},
		"Tokyo":                           {tokyo, "KR", ""},
		"a five-digit code in Korea only": {change(seoul, func(a *address.Address) { a.PostalCode = "150-0001" }), "KR", "postalCode"},
		"no state": {
			change(portland, func(a *address.Address) { a.Province = "" }), "KR", "province",
		},
		"no state and no city, at home":  {seoul, "US", "province city"},
		"a state of another country":     {change(portland, func(a *address.Address) { a.Province = "13" }), "KR", "province"},
		"a wrong zip":                    {change(portland, func(a *address.Address) { a.PostalCode = "9720" }), "KR", "postalCode"},
		"a long zip":                     {change(portland, func(a *address.Address) { a.PostalCode = "97201-1234" }), "KR", ""},
		"a prefecture by its number":     {change(tokyo, func(a *address.Address) { a.Province = "JP-13" }), "", ""},
		"an unknown country":             {change(seoul, func(a *address.Address) { a.Country = "XX" }), "KR", "country"},
		"nothing":                        {address.Address{}, "KR", "recipientName postalCode address1"},
		"nothing in an unknown country":  {address.Address{Country: "QQ"}, "KR", "recipientName address1 country"},
		"a country without postal codes": {address.Address{RecipientName: "Li", Country: "HK", Province: "Kowloon", Address1: "1 Nathan Rd"}, "KR", ""},
		"a British code in small letters": {
			address.Address{RecipientName: "Li", Country: "GB", City: "London", PostalCode: "ec1y 8sy", Address1: "1 High St"}, "", "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var fields []string
			for _, p := range c.to.Complete(c.home).Check(c.home) {
				fields = append(fields, p.Field)
			}
			if got := strings.Join(fields, " "); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
	if problems := (address.Address{Country: "US", City: "Portland"}).CheckParts("KR"); problems != nil {
		t.Errorf("what is missing is not wrong: %v", problems)
	}
}

func TestAnAddressIsWrittenAsInItsCountry(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		to   address.Address
		want []string
	}{
		"Seoul":    {seoul, []string{"(06236) 152 Teheran-ro", "3F", "Kim"}},
		"Portland": {portland, []string{"Ann Lee", "1 Main St", "PORTLAND, OR 97201"}},
		"Tokyo":    {tokyo, []string{"〒150-0001", "東京都渋谷区", "神宮前1-2-3", "カート株式会社", "佐藤"}},
		"Tokyo in Latin letters": {
			address.Address{RecipientName: "Ann", Country: "JP", PostalCode: "150-0001", Province: "13", City: "Shibuya-ku", Address1: "1-2-3 Jingumae"},
			[]string{"Ann", "1-2-3 Jingumae, Shibuya-ku, TOKYO", "150-0001"},
		},
		"without a state": {address.Address{Country: "US", City: "Portland", PostalCode: "97201"}, []string{"PORTLAND 97201"}},
		"without a city":  {address.Address{Country: "US", Province: "OR", PostalCode: "97201"}, []string{"OR 97201"}},
		"a part with no room": {
			address.Address{Country: "DE", Address1: "Weg 1", Province: "Bayern", City: "München", PostalCode: "80331"},
			[]string{"Weg 1", "Bayern", "80331 MÜNCHEN"},
		},
		"no country": {address.Address{Country: "XX", Address1: "Road 1", City: "Town"}, []string{"Road 1", "Town"}},
		"nothing":    {address.Address{}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := c.to.Complete("KR").Lines("KR"); !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestAFormHasThePartsOfACountryInOrder(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{
		"KR": "recipientName company phone postalCode address1 address2 deliveryNote",
		"US": "recipientName company phone address1 address2 city province postalCode deliveryNote",
		"JP": "recipientName company phone postalCode province city district address1 address2 deliveryNote",
		"HK": "recipientName company phone province city address1 address2 deliveryNote",
	} {
		parts, _ := address.Form(code, false)
		var names []string
		for _, p := range parts {
			names = append(names, p.Name)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s: got %q, want %q", code, got, want)
		}
	}
	if _, known := address.Form("XX", true); known {
		t.Error("a form for no country")
	}
}

// Every line of the data can be used, and an example is a postal code.
func TestEveryCountryIsWhole(t *testing.T) {
	t.Parallel()
	codes := address.Countries()
	if len(codes) < 240 {
		t.Errorf("%d countries", len(codes))
	}
	for _, code := range codes {
		parts, known := address.Form(code, true)
		if !known || len(parts) < 5 {
			t.Errorf("%s: %v", code, parts)
		}
		if name := address.Name(code); len(name) < len("CHAD") || name != strings.ToUpper(name) {
			t.Errorf("%s is called %q", code, name)
		}
		seen := map[string]bool{}
		for _, p := range parts {
			if p.Name == "" || seen[p.Name] || p.Pattern != "" && !regexp.MustCompile("^(?:"+p.Pattern+")$").MatchString(p.Example) {
				t.Errorf("%s: %+v", code, p)
			}
			seen[p.Name] = true
			provinces := map[string]bool{}
			for _, province := range p.Options {
				again := address.Address{Country: code, Province: province.Local}.Complete("")
				if province.Code == "" || provinces[province.Code] || again.Province != province.Code {
					t.Errorf("%s: %+v is read as %q", code, province, again.Province)
				}
				provinces[province.Code] = true
			}
		}
	}
}

func TestAnAddressIsReadFromItsRecord(t *testing.T) {
	t.Parallel()
	a := tokyo.Complete("KR")
	a.District, a.Address2, a.DeliveryNote, a.PhoneE164 = "d", "e", "f", "+1"
	if got := address.From(a.Record()); *got != a {
		t.Errorf("got %+v", got)
	}
	if address.From(nil) != nil || (address.Address{}).Size() != 2*len(address.Fields) || a.Size() <= 2*len(address.Fields) {
		t.Error("nothing is no address")
	}
}
