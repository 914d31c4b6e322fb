package program

import (
	"testing"
)

func TestFoldIgnoresCaseAndUnicodeForm(t *testing.T) {
	t.Parallel()
	for a, b := range map[string]string{
		"Straße": "STRASSE", "ＦＵＬＬ width": "full WIDTH", "Cafe\u0301": "café", "한글": "한글", "Mug": "mUG", "ΣΊΣΥΦΟΣ": "σίσυφος",
	} {
		if foldCase(a) != foldCase(b) {
			t.Errorf("%q is %q, %q is %q", a, foldCase(a), b, foldCase(b))
		}
	}
	if foldCase("50%_off") != "50%_off" {
		t.Error("foldCase changes characters that have no case")
	}
}
