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
	MaxVariants = 1000
	MaxOptions  = 10
	MaxValues   = 1000 // of an option
	MaxImages   = 250  // of a product, and of each variant
	MaxPrices   = 100  // of a variant, in markets
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
		return w.copyForm(differing, c.Principal.Tenant.OtherLocales(), s.NewID)
	})
}

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
	answer, _, err := s.Idempotency.RunOptional(ctx, c, func(ctx context.Context, claim *idempotency.Claim) (idempotency.Receipt, error) {
		return s.attempt(ctx, attempt{Call: c, claim: claim, product: product, read: read})
	})
	return answer, err
}

// attempt is a product that is to be written.
type attempt struct {
	idempotency.Call

	claim   *idempotency.Claim
	product string // id; "": a new one
	read    func(context.Context, ports.Tx) (map[string]any, error)
	how     attention
}

// attention is what a write of a product looks at besides.
type attention struct {
	slugs *records.SlugAttempts // nil: it is not tried again if its slug is taken
	// exact has each part read again as soon as it is written, so that what the database refuses has the path of its part: it
	// would else refuse later, and not say what.
	exact bool
}

// attempt writes the product, with another slug while that which was made for it is taken.
func (s *Service) attempt(ctx context.Context, x attempt) (receipt idempotency.Receipt, err error) {
	x.how.slugs = records.NewSlugAttempts()
	for again := true; again; {
		var body map[string]any
		receipt, body, err = s.once(ctx, x)
		again = x.how.slugs.Again(err, body)
	}
	if errors.Is(err, ports.ErrDuplicate) {
		x.how.exact = true
		receipt, _, err = s.once(ctx, x)
	}
	return receipt, err
}

// once writes the product in a transaction, and returns the form that it was written by.
func (s *Service) once(ctx context.Context, x attempt) (receipt idempotency.Receipt, body map[string]any, err error) {
	var told error // with the path, which the error of the transaction may lack
	err = s.Store.Atomically(ctx, ports.ForPrincipal(x.Principal), func(ctx context.Context, tx ports.Tx) (err error) {
		if body, err = x.read(ctx, tx); err != nil {
			return err
		}
		if receipt, told = s.writeIn(ctx, tx, x, body); told != nil {
			return told
		}
		return x.claim.Save(ctx, tx, receipt)
	})
	if errors.Is(err, ports.ErrDuplicate) && errors.Is(told, ports.ErrDuplicate) {
		err = told
	}
	return receipt, body, err
}

// writeIn writes the product and answers it as it is then.
func (s *Service) writeIn(ctx context.Context, tx ports.Tx, x attempt, body map[string]any) (receipt idempotency.Receipt, err error) {
	c := x.Call
	p, err := s.newPlan(ctx, tx, c.Principal, x.product, func(whole, []collection.Record) map[string]any { return body })
	if err != nil {
		return receipt, err
	}
	p.attention = x.how
	if err := p.write(ctx); err != nil {
		return receipt, err
	}
	done, err := load(ctx, tx.Records, c.Principal, p.id)
	if err != nil {
		return receipt, err
	}
	result := ports.ReceiptOK
	if x.product == "" {
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
