package tenant_test

import (
	"testing"

	"github.com/cartwright-dev/cartwright/domain/tenant"
)

func TestLocales(t *testing.T) {
	t.Parallel()
	for tag, want := range map[string]string{
		"ko": "ko", "KO-kr": "ko-KR", "en-us": "en-US", "ZH-HANT-tw": "zh-Hant-TW", "es-419": "es-419", "de-1996": "de-1996", "sl-Rozaj": "sl-rozaj",
		"": "", "k": "", "korean": "", "ko_KR": "", "en-": "", "ko-KR-u-ca-gregory": "", "en US": "", "한국어": "",
	} {
		if got, ok := tenant.ParseLocale(tag); got != want || ok != (want != "") {
			t.Errorf("%q: %q, %t", tag, got, ok)
		}
	}
	if tenant.Language("ko-KR") != "ko" || tenant.Language("en") != "en" || tenant.Language("") != "" {
		t.Error("the language of a locale")
	}
}
