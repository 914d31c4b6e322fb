package catalog_test

import (
	"testing"

	"github.com/cartwright-dev/cartwright/domain/catalog"
)

// Rule catalog-26.
func TestBarcodesHaveTheirCheckDigit(t *testing.T) {
	t.Parallel()
	for code, valid := range map[string]bool{
		"": true, "96385074": true, "036000291452": true, "4006381333931": true, "8801062518210": true, "10614141000415": true,
		"96385075": false, "036000291453": false, "4006381333932": false, "10614141000416": false, "4006381339331": false,
		"4006381333939": false, "SHELF-7": true, "12345": true, "400638133393X": true, "978-3-16-148410-0": true, "１２３４５６７８": true,
	} {
		if err := catalog.CheckBarcode(code); (err == nil) != valid {
			t.Errorf("%q: %v", code, err)
		}
	}
}

// Rule catalog-26. Every slip of one digit is noticed.
func TestEverySlipOfADigitIsNoticed(t *testing.T) {
	t.Parallel()
	const right = "4006381333931"
	for i := range right {
		for d := byte('0'); d <= '9'; d++ {
			code := []byte(right)
			code[i] = d
			if err := catalog.CheckBarcode(string(code)); (err == nil) != (d == right[i]) {
				t.Errorf("%s: %v", code, err)
			}
		}
	}
}
