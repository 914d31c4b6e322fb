package program

import (
	"github.com/cartwright-dev/cartwright/adapters/taxservice"
	"github.com/cartwright-dev/cartwright/adapters/webhook"
	"github.com/cartwright-dev/cartwright/app/taxing"
)

// taxes is what asks the tax services of all shops.
type taxes struct {
	service *taxservice.App
	asker   *taxing.Asker  // for sales
	tester  *taxing.Tester // for operators
}

// newTaxes builds what asks tax services. They are sent to as webhook endpoints are, since shops type their addresses as well.
func (s *Server) newTaxes() taxes {
	service := taxservice.New(taxservice.Options{
		Sender: webhook.NewSender(webhook.Options{AllowPrivate: s.config.AllowPrivateWebhooks, Public: s.config.webhookPolicy()}),
		Signer: webhook.Signer{}, Now: s.now, MaxFailures: s.config.BreakerFailures, Window: s.config.BreakerWindow, OpenFor: s.config.BreakerOpen,
	})
	return taxes{
		service: service,
		asker:   &taxing.Asker{Store: s.invalidatingStore, Vault: s.vault, Service: service, Table: taxservice.Table{}, Log: s.log},
		tester:  &taxing.Tester{Store: s.invalidatingStore, Vault: s.vault, Service: service, Now: s.now},
	}
}
