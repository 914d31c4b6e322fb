// Package cataloging writes a product in one piece: the product with its options, variants, prices in markets, images and
// stock, in one request and one transaction.
//
// A product in one piece is read and written in the same form, so that what was read can be sent back. What a form leaves
// out stays as it is; a list that it has is the whole list. Every part is checked before the first is written, and each
// problem is told by the path of its part. The parts are written by package records, under the rules of single writes.
// Decision 68.
package cataloging

import (
	"context"
	"errors"
	"time"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// The bounds of a product in one piece.
const (
	MaxVariants = 250
	MaxOptions  = 10
	MaxValues   = 250 // of an option
	MaxImages   = 250 // of a product, and of each variant
	MaxPrices   = 100 // of a variant, in markets
)

// ErrVariantReserved refuses to remove a variant of which units are reserved. Data "variant" is its id.
var ErrVariantReserved = fault.New(fault.Conflict, "variant_reserved",
	"Units of this variant are reserved by payments that are under way. Remove it when they have ended.")

// Service reads and writes products in one piece. Rules catalog-28, catalog-29, catalog-30.
type Service struct {
	Store       ports.Store
	Records     *records.Service
	Idempotency *idempotency.Runner
	Now         func() time.Time
	NewID       func() string
}

// Get answers {product}, the product in one piece, to whoever may read all of its parts. Errors: ports.ErrNotFound, those of
// records.Service.CheckAccess.
func (s *Service) Get(ctx context.Context, c idempotency.Call, id string) (idempotency.Response, error) {
	if err := s.checkReader(c.Principal); err != nil {
		return idempotency.Response{}, err
	}
	w, err := load(ctx, s.Store.Read(ports.ForPrincipal(c.Principal)), c.Principal, id)
	if err != nil {
		return idempotency.Response{}, err
	}
	return idempotency.Response{Result: ports.ReceiptOK, Body: c.Body(w.member()), RequestID: c.RequestID}, nil
}

// checkReader refuses callers who may not read every product with its parts.
func (s *Service) checkReader(p tenant.Principal) error {
	for _, schema := range []*collection.Schema{catalog.Products, catalog.Options, catalog.Variants, catalog.MarketPrices} {
		if err := s.Records.CheckAccess(p, schema, collection.Read); err != nil {
			return err
		}
	}
	return nil
}

// Create makes a product of a form and answers {product}. Errors: fault.ErrValidation with the path of every problem,
// ports.ErrDuplicate, those of records.Service.CheckAccess and of idempotency.
func (s *Service) Create(ctx context.Context, c idempotency.Call, body map[string]any) (idempotency.Response, error) {
	return s.write(ctx, c, "", func(context.Context, ports.Tx) (map[string]any, error) { return body, nil })
}

// Replace makes a product what a form says and answers {product}. Errors: as Create, ports.ErrNotFound,
// collection.ErrChangedMeanwhile, inventory.ErrStockChanged, ErrVariantReserved.
func (s *Service) Replace(ctx context.Context, c idempotency.Call, id string, body map[string]any) (idempotency.Response, error) {
	return s.write(ctx, c, id, func(context.Context, ports.Tx) (map[string]any, error) { return body, nil })
}

// Copy is what differs in the copy of a product; "": the name of the original, and a slug made of the name.
type Copy struct{ Name, Slug string }

// Duplicate makes a copy of a product and answers {product}: a draft with its options, variants, prices and images, without
// stock, and without the numbers that tell articles apart, SKUs and barcodes. Errors: as Create, ports.ErrNotFound.
func (s *Service) Duplicate(ctx context.Context, c idempotency.Call, id string, differing Copy) (idempotency.Response, error) {
	return s.write(ctx, c, "", func(ctx context.Context, tx ports.Tx) (map[string]any, error) {
		w, err := load(ctx, tx.Records, c.Principal, id)
		if err != nil {
			return nil, err
		}
		return w.copyForm(differing)
	})
}

// slugAttempts is how often a product is created anew because another one took its slug at the same time.
const slugAttempts = 10

// write makes or changes a product by the form that read gives in the transaction. product is its id; "": a new one.
func (s *Service) write(
	ctx context.Context, c idempotency.Call, product string, read func(context.Context, ports.Tx) (map[string]any, error),
) (idempotency.Response, error) {
	if err := s.checkReader(c.Principal); err != nil { // the answer shows all of it
		return idempotency.Response{}, err
	}
	verb := collection.Update
	if product == "" {
		verb = collection.Create
	}
	if err := s.Records.CheckAccess(c.Principal, catalog.Products, verb); err != nil {
		return idempotency.Response{}, err
	}
	attempt := func(ctx context.Context, claim *idempotency.Claim) (receipt idempotency.Receipt, generated bool, err error) {
		err = s.Store.Atomically(ctx, ports.ForPrincipal(c.Principal), func(ctx context.Context, tx ports.Tx) error {
			body, err := read(ctx, tx)
			if err != nil {
				return err
			}
			generated = body["slug"] == nil || body["slug"] == ""
			if receipt, err = s.writeIn(ctx, tx, c, product, body); err != nil {
				return err
			}
			return claim.Save(ctx, tx, receipt)
		})
		return receipt, generated, err
	}
	work := func(ctx context.Context, claim *idempotency.Claim) (receipt idempotency.Receipt, err error) {
		for range slugAttempts {
			var generated bool
			if receipt, generated, err = attempt(ctx, claim); !generated || !isSlugTaken(err) {
				break
			}
		}
		return receipt, err
	}
	answer, _, err := s.Idempotency.RunOptional(ctx, c, work)
	return answer, err
}

// isSlugTaken reports whether a write failed only because a slug is taken.
func isSlugTaken(err error) bool {
	f := fault.From(err)
	return errors.Is(err, ports.ErrDuplicate) && len(f.Fields) == 1 && f.Fields[0].Field == "slug"
}

// writeIn writes the product and answers it as it is then.
func (s *Service) writeIn(
	ctx context.Context, tx ports.Tx, c idempotency.Call, product string, body map[string]any,
) (receipt idempotency.Receipt, err error) {
	p, err := s.newPlan(ctx, tx, c.Principal, product, func(whole, []collection.Record) map[string]any { return body })
	if err != nil {
		return receipt, err
	}
	if err := p.write(ctx); err != nil {
		return receipt, err
	}
	done, err := load(ctx, tx.Records, c.Principal, p.id)
	if err != nil {
		return receipt, err
	}
	result := ports.ReceiptOK
	if product == "" {
		result = ports.ReceiptCreated
	}
	now := s.Now()
	return c.Receipt(result, c.Body(done.member()), nil, now, now.Add(idempotency.Retention)), nil
}

// member is w as a member of an answer.
func (w whole) member() reply.Member {
	return reply.Member{Name: "product", Fields: ProductFields(), Record: w.record()}
}

// environment is whose stock p sees.
func environment(p tenant.Principal) tenant.Environment {
	if p.Environment == "" {
		return tenant.Live
	}
	return p.Environment
}
