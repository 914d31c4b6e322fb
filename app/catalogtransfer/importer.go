package catalogtransfer

import (
	"context"
	"slices"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Records writes single records inside a transaction under the same rules as a request; package records
// implements it.
type Records interface {
	// Create stores a new record. Errors: fault.ErrValidation, ports.ErrDuplicate.
	Create(ctx context.Context, tx ports.Tx, by tenant.Principal, s *collection.Schema, input map[string]any) (collection.Record, error)
	// Update merges input into a record. Errors: ports.ErrNotFound, fault.ErrValidation, ports.ErrDuplicate.
	Update(
		ctx context.Context, tx ports.Tx, by tenant.Principal, s *collection.Schema, id string, input map[string]any,
	) (collection.Record, error)
}

// Importer imports catalogs. Records has to make movements of kind inventory.Imported.
type Importer struct {
	Store   ports.Store
	Records Records
}

// StockMode says what the quantities of a file mean for variants that the tenant has already. Those of new
// variants are their stock.
type StockMode string

// The modes. Rule catalog-24.
const (
	StockKept    StockMode = ""      // nothing: units may have been sold since the file was written
	StockCounted StockMode = "count" // they were counted: the stock becomes what the file says
	StockAdded   StockMode = "delta" // they arrived, or left if negative, and are added
)

// Options are how a file is imported.
type Options struct {
	Prices PriceConversion
	Stock  StockMode
}

// Report is the result of an import.
type Report struct {
	Created, Updated, Unchanged int // products, including everything that belongs to them
	StockKept                   int // variants whose stock was left alone although the file has another number
	Rejected                    []Rejection
}

// batchSize is how many products share a transaction: enough to make the commit cheap, and small enough not
// to block a running server.
const batchSize = 8

// Run writes the products of f into the tenant of by, as o says. Products are identified by handle, variants by their
// option values (or SKU), brands, categories and tags by name, images by URL and alt text. Only differences
// are written, so that importing the same file again changes nothing, unless its quantities are added. What the tenant has and the file does
// not is kept. A product that violates a rule is rejected with its row, and the others are imported. progress
// is called with the number of products done. Errors: fault.ErrUnavailable.
func (i Importer) Run(
	ctx context.Context, by tenant.Principal, f File, o Options, progress func(done, total int),
) (Report, error) {
	ctx, by = ports.Importing(ctx, by)
	report := Report{Rejected: slices.Clone(f.Rejected)}
	products := make([]Product, 0, len(f.Products))
	for _, p := range f.Products {
		priced, rejected := o.Prices.convertProduct(p)
		report.Rejected = append(report.Rejected, rejected...)
		if len(rejected) == 0 {
			products = append(products, priced)
		}
	}
	done := len(f.Products) - len(products)
	names := nameCache{}
	for part := range slices.Chunk(products, batchSize) {
		if err := i.importBatch(ctx, batch{by, part, names, o.Stock}, &report); err != nil {
			return report, err
		}
		done += len(part)
		progress(done, len(f.Products))
	}
	slices.SortStableFunc(report.Rejected, func(a, b Rejection) int { return a.Row - b.Row })
	return report, nil
}

// batch is a few products for one transaction.
type batch struct {
	by       tenant.Principal
	products []Product
	names    nameCache
	stock    StockMode
}

// importBatch writes a batch in one transaction; if a product is rejected, each is retried in its own.
func (i Importer) importBatch(ctx context.Context, b batch, report *Report) error {
	done, err := i.importInTransaction(ctx, b)
	if err == nil {
		report.add(done)
		return nil
	}
	if !isProductError(err) {
		return err
	}
	for _, p := range b.products {
		one := b
		one.products = []Product{p}
		done, err := i.importInTransaction(ctx, one)
		switch {
		case err == nil:
			report.add(done)
		case isProductError(err):
			report.Rejected = append(report.Rejected, Rejection{Row: p.Row, Handle: p.Handle, Reason: rejectionReason(err)})
		default:
			return err
		}
	}
	return nil
}

func (i Importer) importInTransaction(ctx context.Context, b batch) (done Report, err error) {
	var learned nameCache
	err = i.Store.Atomically(ctx, ports.ForPrincipal(b.by), func(ctx context.Context, tx ports.Tx) error {
		learned = b.names.clone() // records created by a failed transaction must be forgotten
		done = Report{}
		for _, p := range b.products {
			m := productImport{tx: tx, records: i.Records, actor: b.by, cache: learned, stock: b.stock}
			o, err := m.run(ctx, p)
			if err != nil {
				return err
			}
			done.count(o)
			done.StockKept += m.stockKept
		}
		return nil
	})
	if err == nil {
		b.names.addAll(learned)
	}
	return done, err
}

// add adds the counts of other.
func (r *Report) add(other Report) {
	r.Created, r.Updated, r.Unchanged = r.Created+other.Created, r.Updated+other.Updated, r.Unchanged+other.Unchanged
	r.StockKept += other.StockKept
}

// outcome is the result of importing one product.
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

// isProductError reports whether err concerns one product, and not the whole run.
func isProductError(err error) bool {
	switch fault.From(err).Kind {
	case fault.Invalid, fault.Conflict, fault.Unprocessable, fault.NotFound, fault.TooLarge:
		return true
	default: // concerns the whole run
	}
	return false
}

// rejectionReason explains to a user why a product was rejected.
func rejectionReason(err error) string {
	f := fault.From(err)
	text := f.Message
	for _, field := range f.Fields {
		text += " " + field.Field + ": " + field.Message
	}
	return text
}
