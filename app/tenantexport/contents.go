package tenantexport

import (
	"archive/zip"
	"context"
	"errors"
	"io"

	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/media"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// write writes everything but the manifest.
func (s *Service) write(ctx context.Context, id tenant.ID, a *archive) error {
	for _, schema := range s.Registry.All() {
		err := a.add("collections/"+schema.Slug+".ndjson", zip.Deflate, func(to io.Writer) (n int64, err error) {
			err = s.eachRecord(ctx, id, schema, func(r collection.Record) error {
				n++
				return writeLine(to, reply.Of(collection.Staff, reply.Member{Schema: schema, Record: r}).Bytes())
			})
			return n, err
		})
		if err != nil {
			return err
		}
	}
	events := func(to io.Writer) (int64, error) { return s.writeEvents(ctx, id, to) }
	ledger := func(to io.Writer) (int64, error) { return s.writeLedger(ctx, id, to) }
	err := a.add("events.ndjson", zip.Deflate, events)
	if err == nil {
		err = a.add("ledger.ndjson", zip.Deflate, ledger)
	}
	if err != nil {
		return err
	}
	return s.eachRecord(ctx, id, media.Schema, func(r collection.Record) error { return s.writeFile(ctx, id, r, a) })
}

func writeLine(to io.Writer, line []byte) error {
	_, err := to.Write(append(line, '\n'))
	return err
}

// eachRecord calls do with the records of a collection, page by page in the order of their ids.
func (s *Service) eachRecord(ctx context.Context, id tenant.ID, schema *collection.Schema, do func(collection.Record) error) error {
	for after := ""; ; {
		page, err := s.Store.Read(ports.ForTenant(id)).Find(ctx, collection.Query{
			Schema: schema, Where: schema.Where("id", collection.GreaterThan, after), Limit: collection.MaxLimit, Page: 1, SkipCount: true,
			Sort: schema.SortBy("id"),
		})
		if err != nil {
			return err
		}
		for _, r := range page.Docs {
			if err := do(r); err != nil {
				return err
			}
			after = r.ID()
		}
		if len(page.Docs) < collection.MaxLimit {
			return nil
		}
	}
}

// writeEvents writes the log as far as it is kept.
func (s *Service) writeEvents(ctx context.Context, id tenant.ID, to io.Writer) (n int64, err error) {
	for q := (ports.EventQuery{Tenant: id, Limit: collection.MaxLimit}); ; {
		page, err := s.Events.Events(ctx, q)
		if err != nil {
			return n, err
		}
		for _, e := range page.Events {
			n++
			if err := writeLine(to, eventLine(e)); err != nil {
				return n, err
			}
		}
		if !page.More() {
			return n, nil
		}
		q.After = page.Next
	}
}

func eventLine(e ports.Event) []byte {
	return reply.OfObject(collection.Staff, reply.Object{
		{Name: "id", Value: e.ID}, {Name: "sequence", Value: e.Sequence}, {Name: "recordSequence", Value: e.RecordSequence},
		{Name: "environment", Value: collection.TextOrNull(string(e.Environment))}, {Name: "collection", Value: e.Collection},
		{Name: "record", Value: e.Record}, {Name: "operation", Value: string(e.Operation)}, {Name: "occurredAt", Value: e.At},
		{Name: "actor", Value: e.Actor.String()}, {Name: "change", Value: reply.JSON(e.Body)},
	}).Bytes()
}

// ledgerPage is how many entries are read at a time.
const ledgerPage = 1000

func (s *Service) writeLedger(ctx context.Context, id tenant.ID, to io.Writer) (n int64, err error) {
	for after := ""; ; {
		entries, err := s.Ledger.Entries(ctx, id, after, ledgerPage)
		if err != nil {
			return n, err
		}
		for _, e := range entries {
			n++
			if err := writeLine(to, ledgerLine(e)); err != nil {
				return n, err
			}
			after = e.ID
		}
		if len(entries) < ledgerPage {
			return n, nil
		}
	}
}

func ledgerLine(e ports.LedgerEntry) []byte {
	var settled any
	if s := e.Settled; s.IsTold() {
		settled = reply.Object{{Name: "net", Value: s.Net}, {Name: "fee", Value: s.Fee}, {Name: "currency", Value: string(s.Net.Currency)}}
	}
	return reply.OfObject(collection.Staff, reply.Object{
		{Name: "id", Value: e.ID}, {Name: "environment", Value: string(e.Environment)}, {Name: "type", Value: e.Type},
		{Name: "amount", Value: e.Amount}, {Name: "currency", Value: string(e.Amount.Currency)}, {Name: "provider", Value: e.Provider},
		{Name: "reference", Value: e.Reference}, {Name: "checkout", Value: collection.TextOrNull(e.Checkout)},
		{Name: "order", Value: collection.TextOrNull(e.Order)}, {Name: "at", Value: e.At},
		{Name: "settled", Value: settled},
	}).Bytes()
}

// writeFile writes the bytes of a file, if they are here. One that is lost does not keep the others from their owner.
func (s *Service) writeFile(ctx context.Context, id tenant.ID, r collection.Record, a *archive) error {
	f, ok := media.FileFrom(r)
	if !ok || !media.OwnsBlob(id, f.BlobKey) {
		return nil
	}
	from, err := s.Blobs.Open(ctx, f.BlobKey, 0, -1)
	if errors.Is(err, ports.ErrNotFound) {
		a.missing = append(a.missing, r.ID())
		return nil
	}
	if err != nil {
		return err
	}
	err = a.add("media/"+r.ID()+"/"+f.Name, zip.Store, func(to io.Writer) (int64, error) {
		_, err := io.Copy(to, from)
		return 1, err
	})
	return errors.Join(err, from.Close())
}

// leftOut names what an archive has not: of each collection the fields that no API shows, and what is in no collection.
func leftOut(schemas []*collection.Schema, missing []string) (all []LeftOut) {
	if len(missing) > 0 {
		all = append(all, LeftOut{"media, whose bytes are missing", missing})
	}
	for _, s := range schemas {
		if hidden := hiddenFields("", s.Fields); len(hidden) > 0 {
			all = append(all, LeftOut{s.Slug, hidden})
		}
	}
	return append(all, LeftOut{"the server", besides})
}

// besides is what the server keeps besides records, and an archive leaves out.
var besides = []string{
	"passwords and second factors of accounts, which belong to people and not to the tenant", "logins", "tokens that were sent by email",
	"answers kept for idempotency keys", "requests to payment providers", "counts of calls", "search terms", "sums of reports",
	"reservations", "webhook claims and cursors",
}

// hiddenFields are the names of the fields that are shown to nobody, with the groups they are in.
func hiddenFields(in string, fields []collection.Field) (names []string) {
	for _, f := range fields {
		if f.VisibleTo == collection.ServerOnly {
			names = append(names, in+f.Name)
			continue
		}
		names = append(names, hiddenFields(in+f.Name+".", f.Fields)...)
	}
	return names
}
