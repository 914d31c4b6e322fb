package records

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/cartwright-dev/cartwright/app/timezone"
	"github.com/cartwright-dev/cartwright/domain/address"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// beforeWriteTenant prevents tenants from changing their own plan, and checks the settings that the schema cannot. Rules
// access-26, shop-5, shop-6.
func beforeWriteTenant(_ context.Context, _ ports.Tx, w *Write) (err error) {
	if w.After == nil {
		return nil
	}
	if w.Before != nil && w.Before.Text("plan") != w.After.Text("plan") && !isPlatform(w.Principal) {
		return ErrPlanNotChangeable
	}
	if settings := w.After.Group("settings"); settings != nil {
		w.After = w.After.Clone()
		if w.After["settings"], err = CheckedSettings(settings); err == nil {
			err = checkDefaultLocale(w.Before, w.After)
		}
	}
	return err
}

// ErrDefaultLanguage refuses another default language while there are others. Rule languages-7.
var ErrDefaultLanguage = fault.New(fault.Conflict, "default_language_in_use",
	"The texts of the shop's records are in its default language. Remove its other languages before you change it.")

// checkDefaultLocale refuses to call the texts that are there those of another language, beside translations of them.
func checkDefaultLocale(before, after collection.Record) error {
	was, now := before.Group("settings"), after.Group("settings")
	same := defaultLocale(was) == defaultLocale(now)
	if before == nil || len(was.Texts("locales")) < 2 || same || len(now.Texts("locales")) < 2 {
		return nil
	}
	return ErrDefaultLanguage
}

// defaultLocale is the default language in settings, which null means, too.
func defaultLocale(settings collection.Record) string { return cmp.Or(settings.Text("locale"), "en") }

// checkProofAbove refuses limits of no currency, and two of one. Errors: fault.ErrValidation.
func checkProofAbove(limits []collection.Record) error {
	seen := map[string]bool{}
	for i, limit := range limits {
		code, at := limit.Text("currency"), fmt.Sprintf("settings.proofAbove.%d.currency", i)
		switch {
		case !money.Currency(code).Valid():
			return fault.Invalidf(at, "Enter a valid ISO 4217 currency code.")
		case seen[code]:
			return fault.Invalidf(at, "Each currency has one amount.")
		}
		seen[code] = true
	}
	return nil
}

// CheckedSettings is a tenant's settings with its locale in the usual spelling. Errors: fault.ErrValidation.
func CheckedSettings(settings collection.Record) (collection.Record, error) {
	if _, err := timezone.Load(settings.Text("timeZone")); err != nil {
		return nil, err
	}
	if format := settings.Text("orderNumberFormat"); format != "" {
		if err := order.NumberFormat(format).Check("settings.orderNumberFormat"); err != nil {
			return nil, err
		}
	}
	if err := checkProofAbove(settings.Rows("proofAbove")); err != nil {
		return nil, err
	}
	if country := settings.Text("country"); country != "" && !address.Known(country) {
		return nil, fault.Invalidf("settings.country", address.NoCountry)
	}
	return checkedLocales(settings)
}

// checkedLocales is settings with its languages in the usual spelling, the default one first; with that one alone, none is listed.
func checkedLocales(settings collection.Record) (collection.Record, error) {
	settings = settings.Clone()
	if given := settings.Text("locale"); given != "" {
		locale, ok := tenant.ParseLocale(given)
		if !ok {
			return nil, fault.Invalidf("settings.locale", noLanguageTag)
		}
		settings["locale"] = locale
	}
	locales := []string{defaultLocale(settings)}
	for i, given := range settings.Texts("locales") {
		locale, ok := tenant.ParseLocale(given)
		if !ok {
			return nil, fault.Invalidf(fmt.Sprintf("settings.locales.%d", i), noLanguageTag)
		}
		if !slices.Contains(locales, locale) {
			locales = append(locales, locale)
		}
	}
	switch {
	case len(locales) > tenant.MaxLocales:
		return nil, fault.Invalidf("settings.locales", "This list has more than %d items.", tenant.MaxLocales)
	case len(locales) < 2:
		delete(settings, "locales")
	default:
		settings["locales"] = locales
	}
	return settings, nil
}

const noLanguageTag = "This is no language tag. Examples: ko, en-US, zh-Hant."
