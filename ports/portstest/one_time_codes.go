package portstest

import (
	"bytes"
	"image/png"
	"net/url"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/cartwright-dev/cartwright/ports"
)

// OneTimeCodes checks ports.OneTimeCodes. It expects the codes of RFC 6238, appendix B, in six digits.
func OneTimeCodes(t *testing.T, codes ports.OneTimeCodes) {
	const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ" // "12345678901234567890"
	for at, code := range map[int64]string{59: "287082", 1111111109: "081804", 1234567890: "005924", 20000000000: "353130"} {
		for shift, want := range map[int64]bool{-60: false, -30: true, 0: true, 30: true, 60: false} {
			step, ok := codes.Step(secret, code, time.Unix(at+shift, 0).UTC())
			if ok != want || ok && step != at/30 {
				t.Errorf("the code of %d, %d seconds later: step %d, %t", at, shift, step, ok)
			}
		}
	}
	for _, wrong := range []string{"", "28708", "2870822", "287083", "abcdef", "２８７０８２"} {
		if _, ok := codes.Step(secret, wrong, time.Unix(59, 0)); ok {
			t.Errorf("%q is accepted", wrong)
		}
	}
	if _, ok := codes.Step("not base32!", "287082", time.Unix(59, 0)); ok {
		t.Error("a damaged secret has codes")
	}
	first, err := codes.New("Corner Shop: one", "ann@example.com")
	if err != nil {
		t.Fatal(err)
	}
	second, err := codes.New("Corner Shop: one", "ann@example.com")
	if err != nil || first.Secret == second.Secret || len(first.Secret) < 32 {
		t.Errorf("two secrets: %d and %d characters, %v", len(first.Secret), len(second.Secret), err)
	}
	u, err := url.Parse(first.URL)
	if err != nil || u.Scheme != "otpauth" || u.Host != "totp" || u.Query().Get("secret") != first.Secret || u.Query().Get("issuer") == "" {
		t.Errorf("%s: %v", first.URL, err)
	}
	person := strings.Repeat("가", 80) + "@example.com" // as long as an address can be
	for _, name := range []string{strings.Repeat("가", 255), strings.Repeat("🛍️", 127), strings.Repeat("x", 255)} {
		made, err := codes.New(name, person)
		if err != nil {
			t.Errorf("a long name of a shop: %v", err)
			continue
		}
		u, err := url.Parse(made.URL)
		if err != nil || !utf8.ValidString(u.Query().Get("issuer")) || !strings.HasPrefix(name, strings.TrimSuffix(u.Query().Get("issuer"), "…")) {
			t.Errorf("%s: %v", made.URL, err)
		}
		if len(made.Picture) == 0 {
			t.Error("no picture")
		}
	}
	picture, err := png.DecodeConfig(bytes.NewReader(first.Picture))
	if err != nil || picture.Width < 256 || picture.Width != picture.Height {
		t.Errorf("a picture of %d by %d, %v", picture.Width, picture.Height, err)
	}
}
