package main

import (
	"github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// providerLimits is what a slow or broken payment provider may cost us.
func (c Config) providerLimits() payment.Limits {
	return payment.Limits{
		CallTimeout: c.ProviderTimeout, LookupTimeout: c.ProviderTimeout / 2, Concurrency: c.ProviderConcurrency,
		MaxFailures: c.BreakerFailures, FailureWindow: c.BreakerWindow, OpenFor: c.BreakerOpen,
	}
}

// circuits tells the state of every breaker: of the database, of Redis, and of each connection to a payment provider that
// was called lately.
func (s *Server) circuits() []ports.Circuit {
	out := append(s.store.Circuits(), s.providerClient.Circuits()...)
	if s.shared.redis != nil {
		out = append(out, s.shared.redis.Circuit())
	}
	return out
}
