package program

import (
	"fmt"
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"github.com/cartwright-dev/cartwright/adapters/metrics"
	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/fulfillments"
	"github.com/cartwright-dev/cartwright/app/payments"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/app/refunds"
	"github.com/cartwright-dev/cartwright/app/uploads"
)

func (p process) graphqlSchemaCommand() *cobra.Command {
	return &cobra.Command{
		Use: "graphql-schema", Short: "Print the GraphQL schema of this version.", Args: exactArgs(),
		Annotations: withoutJSON("it always prints SDL"), Example: "cartwright graphql-schema > schema.graphql",
		Long: "Print the GraphQL schema of this version in SDL, for code generators. Needs no database.",
		RunE: func(*cobra.Command, []string) error {
			text, err := p.graphQLSDL()
			if err != nil {
				return err
			}
			_, err = fmt.Fprint(p.out, text)
			return err
		},
	}
}

// graphQLSDL is the schema of a server that is never started.
func (p process) graphQLSDL() (string, error) {
	s, err := p.describedServer()
	if err != nil {
		return "", err
	}
	api, err := s.graphQL()
	if err != nil {
		return "", err
	}
	return api.SDL(), nil
}

// describedServer is a server to describe, not to run: its use cases have no store.
func (p process) describedServer() (*Server, error) {
	c := defaults()
	c.Providers = p.providers
	registry, err := c.newRegistry()
	if err != nil {
		return nil, err
	}
	k := &platform{
		config: c, registry: registry, now: time.Now, log: slog.New(slog.DiscardHandler), workMetrics: metrics.NewActivity(),
	}
	described := &core{
		platform: k, records: &records.Service{Registry: registry, Hooks: k.collectionHooks(records.Identities{}, nil)},
		uploads: &uploads.Service{}, access: &access.Service{},
	}
	return &Server{
		core: described, payments: &payments.Service{}, refunds: &refunds.Service{}, carrierFiles: &fulfillments.CarrierFiles{},
		mailing: &mailing{messaging: &messaging{}},
	}, nil
}
