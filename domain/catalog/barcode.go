package catalog

import "github.com/cartwright-dev/cartwright/domain/fault"

// CheckBarcode refuses a GTIN with a wrong check digit: a code of 8, 12, 13 or 14 digits and nothing else. Any other
// text is a code of the shop's own and is taken as it is, and so is "". Two variants may share a barcode, as two
// packings of one article do. Rule catalog-26. Errors: fault.ErrValidation.
func CheckBarcode(code string) error {
	sum, weight := 0, 1
	for i := len(code) - 1; i >= 0; i-- {
		if code[i] < '0' || code[i] > '9' {
			return nil
		}
		sum += weight * int(code[i]-'0')
		weight = 4 - weight // from the right: 1, 3, 1, 3, …
	}
	switch len(code) {
	case 8, 12, 13, 14:
		if sum%10 != 0 {
			return fault.Invalidf("barcode", "The last digit of %s is not its check digit. Compare it with the label.", code)
		}
	}
	return nil
}
