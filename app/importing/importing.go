package importing

import (
	"context"
	"slices"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Records writes single records inside a transaction with every rule that holds for a request; app/content has them.
type Records interface {
	// Create stores a new record. Errors: fault.ErrValidation, ports.ErrDuplicate.
	Create(ctx context.Context, tx ports.Tx, by tenant.Principal, s *collection.Schema, input map[string]any) (collection.Record, error)
	// Update merges input into a record. Errors: ports.ErrAbsent, fault.ErrValidation, ports.ErrDuplicate.
	Update(ctx context.Context, tx ports.Tx, by tenant.Principal, s *collection.Schema, id string, input map[string]any) (collection.Record, error)
}

// Imports takes catalogs in.
type Imports struct {
	Store   ports.Store
	Records Records
}

// Report is what became of a file.
type Report struct {
	Created, Updated, Unchanged int // products, with everything that belongs to them
	Rejected                    []Rejection
}

// batch is how many products share a transaction: enough to make the commit cheap, few enough that a server beside us
// hardly waits.
const batch = 8

// Run writes the products of f into the tenant of by. Products are recognised by handle, variants by their option values
// (or SKU), brands, categories and tags by name, images by address and description; only what differs is written, so that
// the same file again changes nothing. What the shop has and the file has not stays. A product that a rule refuses is
// rejected with its row; others go on. progress is called with the number of products done. Errors: fault.ErrUnavailable.
func (i Imports) Run(ctx context.Context, by tenant.Principal, f File, prices Prices, progress func(done, total int)) (Report, error) {
	report := Report{Rejected: slices.Clone(f.Rejected)}
	products := make([]Product, 0, len(f.Products))
	for _, p := range f.Products {
		priced, rejected := prices.apply(p)
		report.Rejected = append(report.Rejected, rejected...)
		if len(rejected) == 0 {
			products = append(products, priced)
		}
	}
	done := len(f.Products) - len(products)
	names := directory{}
	for part := range slices.Chunk(products, batch) {
		if err := i.part(ctx, by, part, names, &report); err != nil {
			return report, err
		}
		done += len(part)
		progress(done, len(f.Products))
	}
	slices.SortStableFunc(report.Rejected, func(a, b Rejection) int { return a.Row - b.Row })
	return report, nil
}

// part writes a few products in one transaction; if one of them is refused, each gets its own.
func (i Imports) part(ctx context.Context, by tenant.Principal, part []Product, names directory, report *Report) error {
	outcomes, err := i.together(ctx, by, part, names)
	if err == nil {
		for _, o := range outcomes {
			report.count(o)
		}
		return nil
	}
	if !refused(err) {
		return err
	}
	for _, p := range part {
		outcomes, err := i.together(ctx, by, []Product{p}, names)
		switch {
		case err == nil:
			report.count(outcomes[0])
		case refused(err):
			report.Rejected = append(report.Rejected, Rejection{Row: p.Row, Handle: p.Handle, Reason: sentence(err)})
		default:
			return err
		}
	}
	return nil
}

func (i Imports) together(ctx context.Context, by tenant.Principal, part []Product, names directory) (outcomes []outcome, err error) {
	var learned directory
	err = i.Store.Atomically(ctx, ports.For(by), func(ctx context.Context, tx ports.Tx) error {
		learned = names.clone() // what a transaction creates is forgotten with it
		outcomes = outcomes[:0]
		for _, p := range part {
			m := merge{tx: tx, records: i.Records, by: by, names: learned}
			o, err := m.product(ctx, p)
			if err != nil {
				return err
			}
			outcomes = append(outcomes, o)
		}
		return nil
	})
	if err == nil {
		names.learn(learned)
	}
	return outcomes, err
}

// outcome is what happened to one product.
type outcome int

const (
	unchanged outcome = iota
	created
	updated
)

func (r *Report) count(o outcome) {
	switch o {
	case created:
		r.Created++
	case updated:
		r.Updated++
	case unchanged:
		r.Unchanged++
	}
}

// refused tells a rule's refusal, which concerns one product, from trouble that concerns the whole run.
func refused(err error) bool {
	switch fault.From(err).Kind {
	case fault.Invalid, fault.Conflict, fault.Unprocessable, fault.NotFound, fault.TooLarge:
		return true
	default: // concerns the whole run
	}
	return false
}

// sentence says for people why a product was refused.
func sentence(err error) string {
	f := fault.From(err)
	text := f.Message
	for _, field := range f.Fields {
		text += " " + field.Field + ": " + field.Message
	}
	return text
}
