package idempotency_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/app/idempotency"
)

func TestKeyMayBeQuoted(t *testing.T) {
	t.Parallel()
	const key = "ik_0123456789abcdef"
	for header, want := range map[string]string{
		key: key, `"` + key + `"`: key, "  " + key + "\t": key, `ik_"quoted"_inside_it`: `ik_"quoted"_inside_it`,
		`"` + key: "", key + `"`: "", `"`: "", `""`: "", `"` + strings.Repeat("k", 15) + `"`: "",
		strings.Repeat("k", 255): strings.Repeat("k", 255), strings.Repeat("k", 256): "",
		"ik_with a space in it": "", "ik_ümlaut_0123456789": "", "ik_control\x7f_0123456789": "",
	} {
		got, err := idempotency.ParseKey(header)
		if got != want || (want == "") != errors.Is(err, idempotency.ErrInvalidKey) {
			t.Errorf("%q: %q, %v", header, got, err)
		}
	}
}
