package identity_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

func TestSettingsFromRecord(t *testing.T) {
	t.Parallel()
	bare := identity.SettingsFrom(collection.Record{"id": "t", "plan": "free", "currency": "KRW"})
	if want := (tenant.Settings{
		ID: "t", Plan: tenant.Free, Currency: "KRW", AutoConfirmDays: 7, UnpaidOrderHours: 24, CommerceEnabled: true, CheckoutOrderSeparation: true,
		MinPassword: 8, Locales: []string{"en"}, Country: "KR",
	}); !reflect.DeepEqual(bare, want) {
		t.Errorf("switches that were never touched: %+v", bare)
	}
	off := identity.SettingsFrom(collection.Record{
		"id": "t", "plan": "pro", "currency": "USD", "roundingMode": "down", "settings": collection.Record{
			"checkoutOrderSeparation": false, "autoConfirmDays": int64(0), "unpaidOrderHours": int64(0),
			"passwordMinLength": int64(20), "requireSecondFactor": true, "locale": "ko", "locales": []string{"en", "ko"}, "country": "US",
			"allowedOrigins": []string{"https://shop.example"},
			"features":       collection.Record{"ecommerce": false},
		},
	})
	if want := (tenant.Settings{
		ID: "t", Plan: tenant.Pro, Currency: "USD", Rounding: money.Down, AllowedOrigins: []string{"https://shop.example"}, MinPassword: 20,
		Country: "US", RequireSecondFactor: true, Locales: []string{"ko", "en"},
	}); !reflect.DeepEqual(off, want) {
		t.Errorf("switches that were turned: %+v", off)
	}
}

func TestPasswords(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		password string
		policy   identity.PasswordPolicy
		ok       bool
	}{
		"an empty one is none":                     {"", identity.PasswordPolicy{}, false},
		"seven characters are too few":             {"q7wz0pk", identity.PasswordPolicy{}, false},
		"eight characters are enough":              {"q7wz0pkv", identity.PasswordPolicy{}, true},
		"eight are too few where twelve are asked": {"q7wz0pkv", identity.PasswordPolicy{MinLength: 12}, false},
		"twelve are enough there":                  {"q7wz0pkvq7wz", identity.PasswordPolicy{MinLength: 12}, true},
		"a lower number is none":                   {"q7wz0pk", identity.PasswordPolicy{MinLength: 3}, false},
		"characters count, not bytes":              {"가나다라마바사", identity.PasswordPolicy{}, false},
		"letters alone are enough":                 {"correcthorse", identity.PasswordPolicy{}, true},
		"256 characters are accepted":              {strings.Repeat("é", 256), identity.PasswordPolicy{}, true},
		"more characters than that are refused":    {strings.Repeat("x", 257), identity.PasswordPolicy{}, false},
		"a common one is refused":                  {"12345678", identity.PasswordPolicy{}, false},
		"in any case":                              {"PassWord", identity.PasswordPolicy{}, false},
		"the address is refused":                   {"my ann@Shop.example!", identity.PasswordPolicy{Email: "ann@shop.example"}, false},
		"the name in it is refused":                {"AnneMarie-2026", identity.PasswordPolicy{Email: "annemarie@shop.example"}, false},
		"a short name is part of many words":       {"annual report", identity.PasswordPolicy{Email: "ann@shop.example"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := c.policy.Check(c.password)
			if (err == nil) != c.ok {
				t.Fatalf("got %v", err)
			}
			if err != nil && (fault.From(err).Kind != fault.Invalid || fault.From(err).Fields[0].Field != "password") {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestPasswordIsRequiredOfNewAccountsOnly(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		password          string
		given, create, ok bool
	}{
		"an update may leave it out": {"", false, false, true},
		"a new account may not":      {"", false, true, false},
		"an empty one is none":       {"", true, false, false},
		"one is enough":              {"x", true, true, true},
	} {
		if err := identity.CheckPasswordGiven(c.password, c.given, c.create); (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSecretsAreNeverReadable(t *testing.T) {
	t.Parallel()
	for s, names := range map[*collection.Schema][]string{
		identity.Users: {"password", "signals"}, identity.Customers: {"password", "tokenVersion", "signals"}, identity.APIKeys: {"hash"},
	} {
		for _, name := range names {
			if f, ok := s.Field(name); !ok || f.VisibleTo != collection.ServerOnly {
				t.Errorf("%s.%s is visible", s.Slug, name)
			}
		}
	}
}
