package main

import (
	"fmt"
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"github.com/cartwright-dev/cartwright/adapters/metrics"
	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/content"
	"github.com/cartwright-dev/cartwright/app/fulfilling"
	"github.com/cartwright-dev/cartwright/app/library"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/platform"
)

func (p process) graphqlSchemaCommand() *cobra.Command {
	return &cobra.Command{
		Use: "graphql-schema", Short: "Print the GraphQL schema of this version.", Args: takes(), Annotations: plain("it prints a document in a language of its own"),
		Example: "cartwright graphql-schema > schema.graphql",
		Long:    "Print the GraphQL schema of this version in its own language (SDL), for code generators. It needs no database.",
		RunE: func(*cobra.Command, []string) error {
			text, err := schemaText()
			if err != nil {
				return err
			}
			_, err = fmt.Fprint(p.out, text)
			return err
		},
	}
}

// schemaText is the schema of a server that is never started.
func schemaText() (string, error) {
	s, err := unstarted()
	if err != nil {
		return "", err
	}
	api, err := s.graphQL()
	if err != nil {
		return "", err
	}
	return api.SDL(), nil
}

// unstarted is a server to be described, not run: its use cases stand on nothing.
func unstarted() (*Server, error) {
	registry, err := collection.NewRegistry(platform.Schemas()...)
	if err != nil {
		return nil, err
	}
	k := &core{config: defaults(), registry: registry, content: &content.Content{Registry: registry}, now: time.Now, log: slog.New(slog.DiscardHandler), work: metrics.NewWork()}
	k.library, k.access, k.carriers = &library.Library{}, &access.Access{}, &fulfilling.CarrierFiles{}
	k.content.Hooks = k.hooks()
	return &Server{core: k}, nil
}
