package program

import (
	"github.com/cartwright-dev/cartwright/adapters/taxservice"
	"github.com/cartwright-dev/cartwright/adapters/webhook"
	"github.com/cartwright-dev/cartwright/app/taxing"
)

// openTaxes builds what asks tax services. They are sent to as webhook endpoints are, since shops type their addresses as well.
func (s *Server) openTaxes() {
	s.taxService = taxservice.New(taxservice.Options{
		Sender: webhook.NewSender(webhook.Options{AllowPrivate: s.config.AllowPrivateWebhooks, Public: s.config.webhookPolicy()}),
		Signer: webhook.Signer{}, Now: s.now, MaxFailures: s.config.BreakerFailures, Window: s.config.BreakerWindow, OpenFor: s.config.BreakerOpen,
	})
	s.taxes = &taxing.Asker{Store: s.invalidatingStore, Vault: s.vault, Service: s.taxService, Table: taxservice.Table{}, Log: s.log}
}
