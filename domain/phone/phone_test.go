package phone_test

import (
	"strings"
	"testing"

	"github.com/nyaruka/phonenumbers"

	"github.com/cartwright-dev/cartwright/domain/phone"
)

func TestANumberIsFoundInAnySpelling(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]string{
		"KR 010-1234-5678":          "+821012345678",
		"KR 01012345678":            "+821012345678",
		"KR 010.1234.5678":          "+821012345678",
		"KR +82 10-1234-5678":       "+821012345678",
		"KR +82 (0)10 1234 5678":    "+821012345678",
		"KR 82-10-1234-5678":        "+821012345678",
		"KR ０１０－１２３４－５６７８":          "+821012345678",
		"KR 02-555-0100":            "+8225550100",
		"KR 02-555-0100 내선 12":      "+8225550100",
		"KR 1588-0000":              "+8215880000",
		"KR 001 1 503 555 0123":     "+15035550123",
		"KR 010-1":                  "",
		"KR call me":                "",
		"KR ":                       "",
		"KR 010-1234-5678 or later": "",
		"US (503) 555-0123":         "+15035550123",
		"US 1-503-555-0123 ext. 9":  "+15035550123",
		"US 011 82 10 1234 5678":    "+821012345678",
		"JP 03-1234-5678":           "+81312345678",
		"GB 020 7946 0958":          "+442079460958",
		"DE 030 901820":             "+4930901820",
		"IT 06 698 12345":           "+390669812345", // the zero is a part of Italian numbers
		"RU 8 (912) 345-67-89":      "+79123456789",
		"AR 011 15 2345-6789":       "+5491123456789",
		"CA +1 416 555 0123":        "+14165550123",
		" +82 10 1234 5678":         "+821012345678",
		" 010-1234-5678":            "",
		"XX 010-1234-5678":          "",
	} {
		country, number, _ := strings.Cut(typed, " ")
		if got := phone.E164(number, country); got != want {
			t.Errorf("%q: got %q, want %q", typed, got, want)
		}
	}
}

// The library of which the data is, which would make the server three megabytes larger, reads the examples of all countries the same way.
func TestNumbersAreReadAsByTheLibraryOfTheirData(t *testing.T) {
	t.Parallel()
	tried := 0
	for country := range phonenumbers.GetSupportedRegions() {
		for _, kind := range []phonenumbers.PhoneNumberType{
			phonenumbers.MOBILE, phonenumbers.FIXED_LINE, phonenumbers.TOLL_FREE, phonenumbers.UAN, phonenumbers.SHARED_COST, phonenumbers.VOIP,
		} {
			example := phonenumbers.GetExampleNumberForType(country, kind)
			if example == nil {
				continue
			}
			for _, form := range []phonenumbers.PhoneNumberFormat{phonenumbers.NATIONAL, phonenumbers.INTERNATIONAL, phonenumbers.E164, phonenumbers.RFC3966} {
				typed := strings.TrimPrefix(phonenumbers.Format(example, form), "tel:")
				parsed, err := phonenumbers.Parse(typed, country)
				if err != nil || !phonenumbers.IsValidNumber(parsed) {
					continue
				}
				tried++
				if got, want := phone.E164(typed, country), phonenumbers.Format(parsed, phonenumbers.E164); got != want {
					t.Errorf("%s %q: got %q, want %q", country, typed, got, want)
				}
			}
		}
	}
	if tried < 2000 {
		t.Errorf("only %d examples", tried)
	}
}

func BenchmarkE164(b *testing.B) {
	for b.Loop() {
		phone.E164("010-1234-5678", "KR")
	}
}
