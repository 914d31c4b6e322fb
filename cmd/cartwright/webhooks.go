package main

import (
	"math/rand/v2"

	"github.com/cartwright-dev/cartwright/adapters/metrics"
	"github.com/cartwright-dev/cartwright/adapters/webhook"
	"github.com/cartwright-dev/cartwright/app/delivering"
)

// openDeliveries puts the deliverer of webhooks together.
func (s *Server) openDeliveries() {
	s.delivering = &delivering.Delivering{
		Store: s.watched, Deliveries: s.store.Deliveries(), Events: s.store.EventLog(),
		Sender: s.tracing.Webhooks(webhook.NewSender(webhook.Options{AllowPrivate: s.config.PrivateWebhooks, Public: s.config.webhooksAt()})),
		Signer: webhook.Signer{}, Vault: s.vault, Hooking: s.hooking, Now: s.now, NewID: newID, Jitter: rand.Float64, Log: s.log,
		InFlight: webhook.Room(),
	}
	s.hooking.Wake = s.delivering.Asked
}

// webhookMetrics tells what the deliverer does.
func (s *Server) webhookMetrics() metrics.Webhooks {
	return metrics.Webhooks{Lag: s.delivering.Lag, Now: s.now, Attempts: func() (succeeded, failed, discarded int64) {
		n := s.delivering.Stats()
		return n.Succeeded, n.Failed, n.Discarded
	}}
}
