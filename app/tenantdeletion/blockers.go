package tenantdeletion

import (
	"context"
	"errors"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// underWay are the records that say that money is on its way.
var underWay = []struct {
	name   string // as an answer has it
	schema *collection.Schema
	where  collection.Cond
}{
	{"paymentSessions", payment.Sessions, payment.SessionsUnderWay()},
	{"transactions", payment.Transactions, payment.MovementsUnderWay()},
	{"disputes", payment.Disputes, payment.DisputesUnderWay()},
}

// Money is how much is under way, by what it is: paymentSessions, transactions and disputes.
type Money map[string]int64

// IsUnderWay reports whether any is.
func (m Money) IsUnderWay() bool {
	for _, n := range m {
		if n > 0 {
			return true
		}
	}
	return false
}

// blocking is what is known of a tenant that may keep it from being deleted.
type blocking struct {
	last     bool // it is the only tenant
	active   bool // it is not suspended
	money    Money
	checksum string // of the export; "": there is none
	changed  bool   // since the export
}

// blockers finds out what keeps a tenant from being deleted.
func (s *Service) blockers(ctx context.Context, tx ports.Tx, record collection.Record) (found blocking, err error) {
	if identity.IsDeleting(record) {
		return found, ports.ErrNotFound
	}
	found.active = record.Text("status") != string(tenant.Suspended)
	others, err := tx.AllTenants.Find(ctx, collection.Query{
		Schema: identity.Tenants, Limit: 1, Page: 1, SkipCount: true,
		Where: collection.And{
			identity.Tenants.Where("id", collection.NotEquals, record.ID()),
			identity.Tenants.Where("status", collection.NotEquals, string(tenant.Deleting)),
		},
	})
	if err != nil {
		return found, err
	}
	found.last = len(others.Docs) == 0
	if found.money, err = countMoney(ctx, tx.Records); err != nil {
		return found, err
	}
	events, err := tx.TenantDeletions.EventsRecorded(ctx, tenant.ID(record.ID()))
	if err != nil {
		return found, err
	}
	export, ok := identity.ExportFrom(record)
	if ok {
		found.checksum, found.changed = export.Checksum, !export.IsCurrent(record, events)
	}
	return found, nil
}

func countMoney(ctx context.Context, r ports.Reader) (Money, error) {
	found := Money{}
	for _, kind := range underWay {
		page, err := r.Find(ctx, collection.Query{Schema: kind.schema, Where: kind.where, Limit: 1, Page: 1})
		if err != nil {
			return nil, err
		}
		found[kind.name] = page.TotalDocs
	}
	return found, nil
}

// refusals are the reasons that keep the tenant from being deleted, in the order in which they are given.
func (b blocking) refusals() (all []*fault.Error) {
	for _, one := range []struct {
		reason *fault.Error
		holds  bool
	}{
		{ErrLast, b.last}, {ErrNotSuspended, b.active}, {b.moneyFault(), b.money.IsUnderWay()}, {ErrNotExported, b.checksum == ""},
		{ErrChanged, b.changed},
	} {
		if one.holds {
			all = append(all, one.reason)
		}
	}
	return all
}

func (b blocking) moneyFault() *fault.Error {
	refusal := ErrMoneyUnderWay
	for _, kind := range underWay {
		refusal = refusal.WithData(kind.name, b.money[kind.name])
	}
	return refusal
}

// refusal is the first of refusals; without an export those about it do not count.
func (b blocking) refusal(withoutExport bool) error {
	for _, reason := range b.refusals() {
		if withoutExport && (errors.Is(reason, ErrNotExported) || errors.Is(reason, ErrChanged)) {
			continue
		}
		return reason
	}
	return nil
}
