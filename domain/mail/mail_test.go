package mail_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/mail"
	"github.com/cartwright-dev/cartwright/domain/money"
)

var update = flag.Bool("update", false, "write the golden files")

var (
	seoul = time.FixedZone("KST", 9*60*60)
	now   = time.Date(2026, 11, 28, 6, 30, 0, 0, time.UTC)
)

var currencyOf = map[string]money.Currency{"en": "USD", "ja": "JPY", "ko": "KRW"}

func shop() mail.Shop {
	return mail.ShopFrom("Starlight", collection.Record{
		"businessName": "Starlight Ltd.", "registrationNumber": "220-81-62517", "representative": "Kim Haneul", "phone": "02-123-4567",
		"address": collection.Record{"postalCode": "03044", "address1": "12 Jahamun-ro", "country": "KR"},
		"mail":    collection.Record{"color": "#0f766e"},
	}, "https://shop.example/logo.png", "ko", seoul)
}

// The HTML of a kind with everything that a mail can have is kept, since it is made of the same parts as the text of all.
func TestEveryKindHasAMailInThreeLanguages(t *testing.T) {
	t.Parallel()
	for _, language := range mail.DefaultLanguages {
		var all strings.Builder
		for _, kind := range mail.Kinds {
			text, ok := mail.Default(mail.Kind(kind), language)
			if !ok || text.Check() != nil {
				t.Errorf("%s in %s: %t, %v", kind, language, ok, text.Check())
				continue
			}
			m, err := mail.Render(text, mail.Sample(text.Kind, language, currencyOf[language], now), shop())
			if err != nil || m.Subject == "" || strings.Contains(m.Text+m.HTML+m.Subject, "{{") {
				t.Errorf("%s in %s: %+v, %v", kind, language, m, err)
			}
			body, _, _ := strings.Cut(m.Text, "\n-- \n") // what follows is the same below all
			all.WriteString("==== " + kind + "\n" + m.Subject + "\n\n" + body + "\n")
			if text.Kind == mail.OrderShipped {
				compareGolden(t, language+".html", m.HTML)
			}
		}
		compareGolden(t, language+".txt", all.String())
	}
}

func compareGolden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(path); err != nil || string(want) != got {
		t.Errorf("%s differs (go test -update writes it): %v\n%s", name, err, got)
	}
}
