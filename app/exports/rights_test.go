package exports_test

import (
	"errors"
	"io"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/job"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/transfer"
	"github.com/cartwright-dev/cartwright/ports"
)

func TestExportRunsWithTheRightsOfThen(t *testing.T) {
	onBoth(t, func(t *testing.T, b *bed) {
		b.sell(1)
		for name, rights := range map[string]func(p tenant.Principal) (tenant.Principal, error){
			"marketers may not read orders": func(p tenant.Principal) (tenant.Principal, error) { p.Role = tenant.Marketer; return p, nil },
			"suspended":                     func(p tenant.Principal) (tenant.Principal, error) { return p, tenant.ErrSuspended },
		} {
			id := b.ask(nil)
			b.rights = rights
			b.run()
			if j := b.job(id); j.Status != job.Failed || j.Problem == "" {
				t.Errorf("%s: %+v", name, j)
			}
			b.refused(id, transfer.ErrNoFile)
		}
	})
}

func TestExportsAreOfThoseWhoMayReadWhatTheyShow(t *testing.T) {
	onBoth(t, func(t *testing.T, b *bed) {
		b.sell(1)
		id := b.ask(nil)
		b.run()
		with := func(change func(p *tenant.Principal)) tenant.Principal {
			p := b.editor()
			change(&p)
			return p
		}
		shopper := func(kind tenant.Kind) tenant.Principal {
			return with(func(p *tenant.Principal) { p.Kind, p.Role = kind, "" })
		}
		key := func(reads, writes bool) tenant.Principal {
			return with(func(p *tenant.Principal) { p.Kind, p.Role, p.CanRead, p.CanWrite = tenant.SecretKey, "", reads, writes })
		}
		for name, c := range map[string]struct {
			p            tenant.Principal
			start, other error
		}{
			"viewer":       {p: with(func(p *tenant.Principal) { p.Role = tenant.Viewer })},
			"packer":       {p: with(func(p *tenant.Principal) { p.Role = tenant.Packer })},
			"marketer":     {p: with(func(p *tenant.Principal) { p.Role = tenant.Marketer }), start: fault.ErrForbidden, other: ports.ErrNotFound},
			"other shop":   {p: with(func(p *tenant.Principal) { p.Tenant.ID = b.found() }), other: ports.ErrNotFound},
			"in test":      {p: with(func(p *tenant.Principal) { p.Environment = tenant.Test }), other: ports.ErrNotFound},
			"reading key":  {p: key(true, false), start: fault.ErrForbidden},
			"writing key":  {p: key(true, true)},
			"writing only": {p: key(false, true), start: fault.ErrForbidden, other: fault.ErrForbidden},
			"client key":   {p: shopper(tenant.ClientKey), start: fault.ErrForbidden, other: fault.ErrForbidden},
			"customer":     {p: shopper(tenant.Customer), start: fault.ErrForbidden, other: fault.ErrForbidden},
			"nobody":       {p: tenant.Principal{Kind: tenant.Anonymous}, start: fault.ErrUnauthenticated, other: fault.ErrUnauthenticated},
		} {
			if _, err := b.Start(t.Context(), b.as(c.p), transfer.Request{Kind: "orders", Format: "csv", Locale: transfer.English}); !errors.Is(err, c.start) {
				t.Errorf("%s starts: %v, want %v", name, err, c.start)
			}
			if _, err := b.Download(t.Context(), c.p, id, io.Discard); !errors.Is(err, c.other) {
				t.Errorf("%s downloads: %v, want %v", name, err, c.other)
			}
		}
	})
}
