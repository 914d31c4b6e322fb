package program

import (
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// foldCase makes text comparable regardless of case and Unicode form: NFKC, full case folding, and NFKC
// again, since folding may undo it. Queries and stored search columns both use it.
func foldCase(s string) string {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return norm.NFKC.String(cases.Fold().String(norm.NFKC.String(s)))
		}
	}
	return lowerASCII(s)
}

func lowerASCII(s string) string {
	for i := range len(s) {
		if s[i] >= 'A' && s[i] <= 'Z' {
			b := []byte(s)
			for j := i; j < len(b); j++ {
				if b[j] >= 'A' && b[j] <= 'Z' {
					b[j] += 'a' - 'A'
				}
			}
			return string(b)
		}
	}
	return s
}
