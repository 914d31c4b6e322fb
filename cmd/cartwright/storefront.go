package main

import (
	"context"
	"errors"
	"io/fs"

	"github.com/cartwright-dev/cartwright/adapters/rest"
	"github.com/cartwright-dev/cartwright/adapters/sdk/typescript/example"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/ports"
)

// storefront is the example shop, or nothing where no sandbox takes its payments.
func (s *Server) storefront(sandboxURL string) rest.Storefront {
	if sandboxURL == "" {
		return rest.Storefront{}
	}
	return rest.Storefront{Files: example.Files, Shop: s.shown}
}

// shown is the shop whose credentials are in the data folder, by its test client key. None: somebody else founded it.
func (s *Server) shown(ctx context.Context) (rest.ShownShop, error) {
	c, err := readCredentials(s.config.File(credentialsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return rest.ShownShop{}, nil
	}
	if err != nil {
		return rest.ShownShop{}, err
	}
	shop, err := s.store.Read(ports.Scope{System: true}).Get(ctx, identity.Tenants, c.TenantID)
	if errors.Is(err, ports.ErrAbsent) {
		return rest.ShownShop{}, nil // the folder is older than the database
	}
	return rest.ShownShop{Name: shop.Text("name"), ClientKey: c.TestClientKey}, err
}
