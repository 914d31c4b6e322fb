package operation

import (
	"fmt"
	"strings"
	"testing"
)

// A stored fingerprint tells accounts apart, but nobody can find the account that it was made of.
func TestFingerprintHasNoAccount(t *testing.T) {
	t.Parallel()
	in := func(account string) map[string]any {
		return map[string]any{"reason": "r", "refundAccount": map[string]any{"account": account}}
	}
	first := fmt.Sprint(withoutAccount(in("110123456789"), "key-1"))
	for name, c := range map[string]struct {
		got  map[string]any
		same bool
	}{
		"the same":        {withoutAccount(in("110123456789"), "key-1"), true},
		"another account": {withoutAccount(in("110123456780"), "key-1"), false},
		"another key":     {withoutAccount(in("110123456789"), "key-2"), false},
		"no key":          {withoutAccount(in("110123456789"), ""), false},
	} {
		if got := fmt.Sprint(c.got); (got == first) != c.same || strings.Contains(got, "110123") {
			t.Errorf("%s: %s", name, got)
		}
	}
	given := in("110123456789")
	if withoutAccount(given, "key"); given["refundAccount"].(map[string]any)["account"] != "110123456789" {
		t.Error("the input itself was changed")
	}
	if plain := map[string]any{"reason": "r"}; fmt.Sprint(withoutAccount(plain, "key")) != fmt.Sprint(plain) {
		t.Error("an input without an account was changed")
	}
}
