package steps

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/cucumber/godog"
)

// exportSteps export records of the shop.
type exportSteps struct {
	*client

	id   string     // of the export
	rows [][]string // of its file, header first
}

func newExportSteps(c *client) *exportSteps { return &exportSteps{client: c} }

func (s *exportSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^the shop exports its "([^"]*)"$`, func(ctx context.Context, kind string) error { return s.start(ctx, s.asServer(), object{"kind": kind}) }},
		{`^the shop exports the columns "([^"]*)" of its "([^"]*)" with Korean headers$`, func(ctx context.Context, columns, kind string) error {
			return s.start(ctx, s.asServer(), object{"kind": kind, "locale": "ko", "columns": strings.Split(columns, ", ")})
		}},
		{`^a storefront exports the shop's "([^"]*)"$`, func(ctx context.Context, kind string) error {
			return s.start(ctx, s.asVisitor(), object{"kind": kind})
		}},
		{`^the export is done with (\d+) records?$`, s.wantDone},
		{`^the exported file has$`, s.wantFile},
		{`^the headers of the exported file are "([^"]*)"$`, func(want string) error { return equal("the headers", strings.Join(s.rows[0], ", "), want) }},
		{`^another shop does not find the export$`, s.wantHidden},
		{`^the shop cancels the export$`, func(ctx context.Context) error {
			return s.try(ctx, request{"POST", "/api/exports/" + s.id + "/cancel", nil, s.asServer()})
		}},
	}
}

func (s *exportSteps) start(ctx context.Context, who map[string]string, input object) error {
	input["format"] = "csv"
	err := s.try(ctx, request{"POST", "/api/exports", input, keyed(who)})
	s.id = text(s.got.body, "export", "id")
	return err
}

// wantDone waits until the export is done, and reads its file.
func (s *exportSteps) wantDone(ctx context.Context, records string) (err error) {
	var a answer
	err = eventually(ctx, func(ctx context.Context) (err error) {
		if a, err = s.must(ctx, request{"GET", "/api/exports/" + s.id, nil, s.asServer()}); err != nil {
			return err
		}
		return equal("the status", text(a.body, "status"), "done")
	})
	if err == nil {
		err = equal("the number of records", text(a.body, "handled"), records)
	}
	if err != nil {
		return err
	}
	s.rows, err = s.downloadCSV(ctx, text(a.body, "url"))
	return err
}

// wantFile compares the columns of a table, whose header has names of columns.
func (s *exportSteps) wantFile(want *godog.Table) error {
	names, got := []string{}, []string{}
	for _, cell := range want.Rows[0].Cells {
		names = append(names, cell.Value)
	}
	columns := map[string]string{ // their English headers
		"title": "Product", "quantity": "Quantity", "unitPrice": "Unit price", "lineTotal": "Line total", "onHand": "On hand", "available": "Available",
	}
	for _, row := range s.rows[1:] {
		var cells []string
		for _, name := range names {
			at := slices.Index(s.rows[0], columns[name])
			if at < 0 {
				return fmt.Errorf("the file has no column %s: %v", columns[name], s.rows[0])
			}
			cells = append(cells, row[at])
		}
		got = append(got, strings.Join(cells, ", "))
	}
	var wanted []string
	for _, row := range want.Rows[1:] {
		var cells []string
		for _, cell := range row.Cells {
			cells = append(cells, cell.Value)
		}
		wanted = append(wanted, strings.Join(cells, ", "))
	}
	return equal("the rows", strings.Join(got, "; "), strings.Join(wanted, "; "))
}

func (s *exportSteps) wantHidden(ctx context.Context) error {
	other, err := s.otherShop(ctx)
	if err != nil {
		return err
	}
	for _, path := range []string{"", "/file"} {
		if err := s.try(ctx, request{"GET", "/api/exports/" + s.id + path, nil, withSecretKey(other.TestSecretKey)}); err != nil {
			return err
		}
		if err := s.wantRefused("not_found"); err != nil {
			return err
		}
	}
	return nil
}
