package program

import (
	"context"
	"errors"
	"io/fs"

	"github.com/cartwright-dev/cartwright/adapters/rest"
	"github.com/cartwright-dev/cartwright/adapters/sdk/typescript/example"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/ports"
)

// storefront is the example storefront, or nothing without the sandbox provider.
func (s *Server) storefront(sandboxURL string) rest.DemoStorefront {
	if sandboxURL == "" {
		return rest.DemoStorefront{}
	}
	return rest.DemoStorefront{Files: example.Files, Shop: s.storefrontShop}
}

// storefrontShop is the shop of the credentials file, by its test client key; empty if another installation
// created it.
func (s *Server) storefrontShop(ctx context.Context) (rest.DemoShop, error) {
	c, err := readCredentials(s.config.File(credentialsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return rest.DemoShop{}, nil
	}
	if err != nil {
		return rest.DemoShop{}, err
	}
	shop, err := s.store.Read(ports.Scope{System: true}).Get(ctx, identity.Tenants, c.TenantID)
	if errors.Is(err, ports.ErrNotFound) {
		return rest.DemoShop{}, nil // the data folder does not belong to the database
	}
	return rest.DemoShop{Name: shop.Text("name"), ClientKey: c.TestClientKey}, err
}
