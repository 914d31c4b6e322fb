package program

import (
	"github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/app/bulk"
	"github.com/cartwright-dev/cartwright/app/cataloging"
	"github.com/cartwright-dev/cartwright/app/checkouts"
	"github.com/cartwright-dev/cartwright/app/connections"
	"github.com/cartwright-dev/cartwright/app/drafts"
	"github.com/cartwright-dev/cartwright/app/fulfillments"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/offers"
	"github.com/cartwright-dev/cartwright/app/orders"
	"github.com/cartwright-dev/cartwright/app/payments"
	"github.com/cartwright-dev/cartwright/app/placement"
	"github.com/cartwright-dev/cartwright/app/refunds"
	"github.com/cartwright-dev/cartwright/app/repricing"
	"github.com/cartwright-dev/cartwright/app/returnrequests"
	"github.com/cartwright-dev/cartwright/app/stock"
)

// openPayments builds the use cases of checkouts, payments and refunds, with all payment providers of this
// installation.
func (s *Server) openPayments(sandboxURL string) error {
	fail, err := failpoint(s.config.Failpoint)
	if err != nil {
		return err
	}
	store, runner := s.invalidatingStore, s.idempotency
	s.providerClient = payment.NewClient(s.config.providerLimits(), nil)
	opener := connections.Opener{
		Choices: &connections.Choices{},
		Vault:   s.vault, Providers: s.workMetrics.Providers(s.tracing.Providers(s.providers(s.providerClient, sandboxURL, s.BaseURL))),
	}
	s.taxes = s.newTaxes()
	s.tester = &connections.Tester{Store: store, Opener: opener, Now: s.now}
	numbers := placement.Numbers{Tenants: s.store.APIKeys(), Counts: s.store.OrderCounts(), Now: s.now}
	s.payments = payments.New(payments.Options{
		Store: store, Recent: s.recent, Idempotency: runner, Connections: opener, Now: s.now, NewID: newID,
		ReservationTTL: s.config.ReservationTTL, Log: s.log, Failpoint: fail, Tasks: s.store.PaymentTasks(), Numbers: numbers,
	})
	s.checkouts = &checkouts.Service{
		Store: store, Idempotency: runner, Vault: s.vault, Now: s.now, NewID: newID, Failpoint: fail, Sessions: s.payments.Settler,
		Recent: s.recent, Offers: s.versionedOffers(), Numbers: numbers, Taxes: s.taxes.asker,
	}
	s.refunds = refunds.New(refunds.Options{
		Store: store, Idempotency: runner, Connections: opener,
		Returns: returnrequests.RefundFollower{Now: s.now, NewID: newID}, Now: s.now,
		NewID: newID, Log: s.log, Failpoint: fail, Numbers: numbers,
	})
	s.reconciler = payments.NewAggregatorReconciler(s.payments, s.refunds)
	s.paymentHooks = payments.NewWebhooks(s.payments, s.refunds, s.store.ProcessedWebhooks())
	s.paymentPoller = payments.NewPoller(s.payments, s.checkouts, s.refunds, 0, s.background.Task("payments"))
	s.returnRequests = &returnrequests.Service{Store: store, Idempotency: runner, Refunds: s.refunds, Vault: s.vault, Now: s.now, NewID: newID}
	s.stock = &stock.Service{Store: store, Places: s.store.StockPlaceReader(), Idempotency: runner, Now: s.now, NewID: newID}
	s.orders = &orders.Service{Store: store, Idempotency: runner, Canceler: s.refunds.Canceler, Now: s.now, NewID: newID}
	s.drafts = &drafts.Service{
		Store: store, Idempotency: runner, Numbers: numbers, Vault: s.vault, Sessions: s.payments.Settler, Taxes: s.taxes.asker, Now: s.now, NewID: newID,
		Failpoint: fail,
	}
	s.fulfillments = &fulfillments.Service{
		Store: store, Idempotency: runner.Keeping(idempotency.Retention), Now: s.now, NewID: newID,
	}
	s.carrierFiles = s.newCarrierFiles(runner.Keeping(idempotency.Retention))
	s.corrector = &orders.Corrector{Store: store, Records: s.records, Idempotency: runner.Keeping(idempotency.Retention), Now: s.now}
	s.bulk = &bulk.Service{Store: store, Records: s.records, Idempotency: runner.Keeping(idempotency.Retention), Now: s.now}
	s.repricing = &repricing.Service{
		Store: store, Records: s.records, Bulk: s.bulk, Idempotency: runner.Keeping(idempotency.Retention), Now: s.now,
	}
	s.cataloging = &cataloging.Service{
		Store: store, Records: s.records, Idempotency: runner.Keeping(idempotency.Retention), Now: s.now, NewID: newID,
	}
	return nil
}

// versionedOffers are the offers that a checkout takes from memory; nil on SQLite, which has no catalog versions.
func (s *Server) versionedOffers() *offers.Cache {
	if s.config.Database == "" {
		return nil
	}
	return s.offerCache
}
