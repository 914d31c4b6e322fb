package records

import (
	"context"
	"fmt"

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
		w.After["settings"], err = checkedSettings(settings)
	}
	return err
}

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

// checkedSettings is a tenant's settings with its locale in the usual spelling. Errors: fault.ErrValidation.
func checkedSettings(settings collection.Record) (collection.Record, error) {
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
	given := settings.Text("locale")
	if given == "" {
		return settings, nil
	}
	locale, ok := tenant.ParseLocale(given)
	if !ok {
		return nil, fault.Invalidf("settings.locale", "This is no language tag. Examples: ko, en-US, zh-Hant.")
	}
	settings = settings.Clone()
	settings["locale"] = locale
	return settings, nil
}
