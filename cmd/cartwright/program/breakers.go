package program

import (
	"slices"

	"github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// providerLimits bounds what a slow or failing payment provider can cost the server.
func (c Config) providerLimits() payment.Limits {
	return payment.Limits{
		CallTimeout: c.ProviderTimeout, LookupTimeout: c.ProviderTimeout / 2, Concurrency: c.ProviderConcurrency,
		MaxFailures: c.BreakerFailures, FailureWindow: c.BreakerWindow, OpenFor: c.BreakerOpen,
	}
}

// circuits is the state of every breaker: of the database, of Redis, of the mail server, and of each recently called
// connection to a payment provider, a tax service or a message service.
func (s *Server) circuits() []ports.Circuit {
	out := slices.Concat(s.store.Circuits(), s.providerClient.Circuits(), s.taxes.service.Circuits(), s.mailing.messaging.services.Circuits())
	if s.shared.redis != nil {
		out = append(out, s.shared.redis.Circuit())
	}
	if s.mailing.server != nil {
		out = append(out, s.mailing.server.Circuit())
	}
	return out
}
