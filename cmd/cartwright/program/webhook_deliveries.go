package program

import (
	"math/rand/v2"

	"github.com/cartwright-dev/cartwright/adapters/metrics"
	"github.com/cartwright-dev/cartwright/adapters/webhook"
	"github.com/cartwright-dev/cartwright/app/deliveries"
	"github.com/cartwright-dev/cartwright/app/idempotency"
)

// openDeliveries builds the dispatcher of webhooks, and the use cases that wake it.
func (s *Server) openDeliveries() {
	s.deliveries = &deliveries.Dispatcher{
		Store: s.invalidatingStore, Deliveries: s.store.Deliveries(), Events: s.store.EventLog(),
		Sender: s.tracing.Webhooks(webhook.NewSender(webhook.Options{
			AllowPrivate: s.config.AllowPrivateWebhooks, Public: s.config.webhookPolicy(),
		})),
		Signer: webhook.Signer{}, Vault: s.vault, Endpoints: s.newWebhooks(nil, nil), Now: s.now, NewID: newID,
		Jitter: rand.Float64, Log: s.log, Background: s.background,
		MaxInFlight: webhook.MaxConcurrentRequests(), Numbered: s.store.EventsNumbered().Listen(),
	}
	s.webhooks = s.newWebhooks(s.idempotency.Keeping(idempotency.Retention), s.deliveries.ServeNow)
}

// webhookMetrics are the metrics of deliveries.
func (s *Server) webhookMetrics() metrics.Webhooks {
	return metrics.Webhooks{Lag: s.deliveries.Lag, Now: s.now, Attempts: func() (succeeded, failed, discarded int64) {
		n := s.deliveries.Stats()
		return n.Succeeded, n.Failed, n.Discarded
	}}
}
