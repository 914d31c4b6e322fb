package steps

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"mime/multipart"

	"github.com/cucumber/godog"
)

// importSteps import files with records into the shop.
type importSteps struct {
	*client

	catalog *catalogSteps
	id      string // of the import
}

func newImportSteps(c *client, catalog *catalogSteps) *importSteps {
	return &importSteps{client: c, catalog: catalog}
}

func (s *importSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^the shop imports "([^"]*)"$`, func(ctx context.Context, kind string, rows *godog.Table) error {
			return s.start(ctx, s.asServer(), kind, cellsOf(rows), "")
		}},
		{`^the shop tries out an import of "([^"]*)"$`, func(ctx context.Context, kind string, rows *godog.Table) error {
			return s.start(ctx, s.asServer(), kind, cellsOf(rows), "true")
		}},
		{`^a storefront imports "([^"]*)"$`, func(ctx context.Context, kind string, rows *godog.Table) error {
			return s.start(ctx, s.asVisitor(), kind, cellsOf(rows), "")
		}},
		{`^the shop imports its counts of stock$`, s.importCounts},
		{`^the import is done: (\d+) rows? applied, (\d+) unchanged, (\d+) rejected$`, s.wantDone},
		{`^row (\d+) was rejected for "([^"]*)" because "([^"]*)"$`, s.wantRejected},
		{`^another shop does not find the import$`, s.wantHidden},
		{`^the shop cancels the import$`, func(ctx context.Context) error {
			return s.try(ctx, request{"POST", "/api/imports/" + s.id + "/cancel", nil, s.asServer()})
		}},
	}
}

func cellsOf(table *godog.Table) [][]string {
	rows := make([][]string, len(table.Rows))
	for i, row := range table.Rows {
		for _, cell := range row.Cells {
			rows[i] = append(rows[i], cell.Value)
		}
	}
	return rows
}

func (s *importSteps) start(ctx context.Context, who map[string]string, kind string, rows [][]string, dryRun string) error {
	var b, file bytes.Buffer
	m := multipart.NewWriter(&b)
	err := errors.Join(csv.NewWriter(&file).WriteAll(rows), m.WriteField("kind", kind), m.WriteField("dryRun", dryRun))
	part, failed := m.CreateFormFile("file", "rows.csv")
	if err = errors.Join(err, failed); err != nil {
		return err
	}
	_, err = part.Write(file.Bytes())
	if err = errors.Join(err, m.Close()); err != nil {
		return err
	}
	err = s.try(ctx, request{"POST", "/api/imports", form{m.FormDataContentType(), b.Bytes()}, keyed(who)})
	s.id = text(s.got.body, "import", "id")
	return err
}

// importCounts takes a table with the columns product and counted.
func (s *importSteps) importCounts(ctx context.Context, table *godog.Table) error {
	rows := [][]string{{"Variant id", "SKU", "On hand"}}
	for _, row := range cellsOf(table)[1:] {
		p, err := s.catalog.product(row[0])
		if err != nil {
			return err
		}
		rows = append(rows, []string{p.variant, "", row[1]})
	}
	return s.start(ctx, s.asServer(), "stock", rows, "")
}

// wantDone waits until the import is done.
func (s *importSteps) wantDone(ctx context.Context, applied, unchanged, rejected string) error {
	var a answer
	err := eventually(ctx, func(ctx context.Context) (err error) {
		if a, err = s.must(ctx, request{"GET", "/api/imports/" + s.id, nil, s.asServer()}); err != nil {
			return err
		}
		return equal("the status", text(a.body, "status"), "done")
	})
	if err != nil {
		return err
	}
	return equal("the rows", fmt.Sprint(text(a.body, "applied"), " ", text(a.body, "unchanged"), " ", text(a.body, "rejected")),
		applied+" "+unchanged+" "+rejected)
}

func (s *importSteps) wantRejected(ctx context.Context, row, column, code string) error {
	a, err := s.must(ctx, request{"GET", "/api/imports/" + s.id + "/rows?status=rejected", nil, s.asServer()})
	if err != nil {
		return err
	}
	for _, r := range list(a.body, "rows") {
		if text(r, "row") == row {
			return equal("the reason", text(r, "errors", 0, "column")+" "+text(r, "errors", 0, "code"), column+" "+code)
		}
	}
	return fmt.Errorf("row %s was not rejected: %v", row, a.body)
}

func (s *importSteps) wantHidden(ctx context.Context) error {
	other, err := s.otherShop(ctx)
	if err != nil {
		return err
	}
	for _, path := range []string{"", "/rows", "/report"} {
		if err := s.try(ctx, request{"GET", "/api/imports/" + s.id + path, nil, withSecretKey(other.TestSecretKey)}); err != nil {
			return err
		}
		if err := s.wantRefused("not_found"); err != nil {
			return err
		}
	}
	return nil
}
