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
	}); !reflect.DeepEqual(bare, want) {
		t.Errorf("switches that were never touched: %+v", bare)
	}
	off := identity.SettingsFrom(collection.Record{
		"id": "t", "plan": "pro", "currency": "USD", "roundingMode": "down", "settings": collection.Record{
			"checkoutOrderSeparation": false, "autoConfirmDays": int64(0), "unpaidOrderHours": int64(0), "allowedOrigins": []string{"https://shop.example"},
			"features": collection.Record{"ecommerce": false},
		},
	})
	if want := (tenant.Settings{
		ID: "t", Plan: tenant.Pro, Currency: "USD", Rounding: money.Down, AllowedOrigins: []string{"https://shop.example"},
	}); !reflect.DeepEqual(off, want) {
		t.Errorf("switches that were turned: %+v", off)
	}
}

func TestPasswords(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		password      string
		given, create bool
		ok            bool
	}{
		"an update may leave it out":            {"", false, false, true},
		"a new account may not":                 {"", false, true, false},
		"an empty one is none":                  {"", true, false, false},
		"seven characters are too few":          {"1234567", true, true, false},
		"eight characters are enough":           {"12345678", true, true, true},
		"characters count, not bytes":           {"가나다라마바사", true, true, false},
		"256 characters are accepted":           {strings.Repeat("é", 256), true, true, true},
		"more characters than that are refused": {strings.Repeat("x", 257), true, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := identity.CheckPassword(c.password, c.given, c.create)
			if (err == nil) != c.ok {
				t.Fatalf("got %v", err)
			}
			if err != nil && (fault.From(err).Kind != fault.Invalid || fault.From(err).Fields[0].Field != "password") {
				t.Errorf("got %v", err)
			}
		})
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
