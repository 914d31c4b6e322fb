package steps

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"

	"github.com/cucumber/godog"
	"golang.org/x/text/encoding/korean"
)

// carrierFileSteps downloads the file for carriers and uploads it with tracking numbers.
type carrierFileSteps struct {
	*client

	orders       *orderSteps
	fulfillments *fulfillmentSteps

	rows [][]string // of the file last downloaded; the first is its header
}

func newCarrierFileSteps(c *client, orders *orderSteps, fulfillments *fulfillmentSteps) *carrierFileSteps {
	return &carrierFileSteps{client: c, orders: orders, fulfillments: fulfillments}
}

func (s *carrierFileSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^the shop downloads the carrier file$`, s.download},
		{`^the file has (\d+) rows?$`, s.wantRows},
		{`^the file lists "([^"]*)"$`, s.wantItems},
		{`^the file does not contain "([^"]*)"$`, s.wantNotInFile},
		{`^the shop fills in "([^"]*)" and "([^"]*)" and uploads the file$`, s.importWithTracking},
		{`^the shop fills in "([^"]*)" and "([^"]*)" and uploads the file (\d+) times at once$`, s.importConcurrently},
		{`^the shop uploads the file unchanged$`, func(ctx context.Context) error { return s.try(ctx, s.importRequest(s.rows)) }},
		{`^the shop uploads a file with the tracking numbers$`, s.importNumbers},
		{`^the shop tries a file with the tracking numbers$`, s.tryNumbers},
		{`^the shop uploads a file in an old Korean encoding with "([^"]*)" and "([^"]*)"$`, s.importCP949},
		{`^another shop uploads a tracking number for the order$`, s.importInOtherShop},
		{`^(\d+) rows? (?:is|are) applied and (\d+) (?:is|are) unchanged$`, s.wantResult},
		{`^row (\d+) is refused$`, func(row string) error { return s.wantRowNote("errors", row) }},
		{`^row (\d+) has a warning$`, func(row string) error { return s.wantRowNote("warnings", row) }},
		{`^the order's parcel has the carrier "([^"]*)" and the tracking number "([^"]*)"$`, s.wantTracking},
	}
}

const carrierFile = "/api/fulfillments/carrier-file"

// download reads the file.
func (s *carrierFileSteps) download(ctx context.Context) (err error) {
	s.rows, err = s.downloadCSV(ctx, carrierFile+"?format=csv")
	return err
}

// downloadCSV reads a file of the shop as a spreadsheet program would.
func (c *client) downloadCSV(ctx context.Context, path string) ([][]string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.baseURL()+path, nil)
	if err != nil {
		return nil, err
	}
	for name, value := range c.asServer() {
		req.Header.Set(name, value)
	}
	res, err := c.httpClient().Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }() // it was only read
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, err
	}
	text, marked := strings.CutPrefix(string(raw), "\uFEFF")
	if res.StatusCode != http.StatusOK || !marked || !strings.Contains(res.Header.Get("Content-Disposition"), ".csv") {
		return nil, fmt.Errorf("the download answered %d %.300s", res.StatusCode, raw)
	}
	return csv.NewReader(strings.NewReader(text)).ReadAll()
}

// column is the position of a column of the file.
func (s *carrierFileSteps) column(name string) int { return slices.Index(s.rows[0], name) }

func (s *carrierFileSteps) wantRows(n int) error {
	if got := len(s.rows) - 1; got != n {
		return fmt.Errorf("the file has %d rows: %q", got, s.rows)
	}
	return nil
}

func (s *carrierFileSteps) wantItems(want string) error {
	if got := s.rows[1][s.column("items")]; got != want {
		return fmt.Errorf("the file lists %q", got)
	}
	return nil
}

func (s *carrierFileSteps) wantNotInFile(word string) error {
	if all := fmt.Sprint(s.rows); strings.Contains(all, word) {
		return fmt.Errorf("the file contains %s", all)
	}
	return nil
}

// importRequest uploads a table.
func (s *carrierFileSteps) importRequest(table [][]string, fields ...string) request {
	var b bytes.Buffer
	out := csv.NewWriter(&b)
	_ = out.WriteAll(table) // into memory
	return s.uploadRequest(b.String(), fields...)
}

// uploadRequest uploads a file; fields of the form are true.
func (s *carrierFileSteps) uploadRequest(content string, fields ...string) request {
	var b bytes.Buffer
	m := multipart.NewWriter(&b)
	part, _ := m.CreateFormFile("file", "numbers.csv") // into memory
	_, _ = io.WriteString(part, content)
	for _, name := range fields {
		_ = m.WriteField(name, "true")
	}
	_ = m.Close()
	return request{"POST", carrierFile, form{m.FormDataContentType(), b.Bytes()}, s.asServer()}
}

// withTracking uploads the file with the same carrier and tracking number in every row.
func (s *carrierFileSteps) withTracking(carrier, number string) request {
	for _, row := range s.rows[1:] {
		row[s.column("carrier")], row[s.column("trackingNumber")] = carrier, number
	}
	return s.importRequest(s.rows)
}

func (s *carrierFileSteps) importWithTracking(ctx context.Context, carrier, number string) error {
	return s.try(ctx, s.withTracking(carrier, number))
}

func (s *carrierFileSteps) importConcurrently(ctx context.Context, carrier, number string, n int) error {
	return s.sendConcurrently(ctx, slices.Repeat([]request{s.withTracking(carrier, number)}, n))
}

// importNumbers takes a table with the columns row ("shirts" ships, "guides" does not), carrier and number.
func (s *carrierFileSteps) importNumbers(ctx context.Context, table *godog.Table) error {
	return s.sendNumbers(ctx, table)
}

// tryNumbers asks what importNumbers would do.
func (s *carrierFileSteps) tryNumbers(ctx context.Context, table *godog.Table) error {
	return s.sendNumbers(ctx, table, "dryRun")
}

func (s *carrierFileSteps) sendNumbers(ctx context.Context, table *godog.Table, fields ...string) error {
	file := [][]string{{"fulfillmentOrder", "carrier", "trackingNumber"}}
	for _, row := range table.Rows[1:] {
		fulfillmentType := "shipping"
		if row.Cells[0].Value == "guides" {
			fulfillmentType = "manual"
		}
		order, err := s.fulfillments.fulfillmentOrder(ctx, fulfillmentType)
		if err != nil {
			return err
		}
		file = append(file, []string{text(order, "id"), row.Cells[1].Value, row.Cells[2].Value})
	}
	return s.try(ctx, s.importRequest(file, fields...))
}

// importCP949 uploads a file of a program without Unicode, which identifies the order by its number.
func (s *carrierFileSteps) importCP949(ctx context.Context, carrier, number string) error {
	got, err := s.must(ctx, request{"GET", "/api/orders/" + s.orders.id, nil, s.asServer()})
	if err != nil {
		return err
	}
	row := strings.Join([]string{"홍길동", carrier, number, text(got.body, "orderNumber")}, ",")
	file, err := korean.EUCKR.NewEncoder().String("받는분,택배사,운송장번호,주문번호\r\n" + row + "\r\n")
	if err != nil {
		return err
	}
	return s.try(ctx, s.uploadRequest(file))
}

func (s *carrierFileSteps) importInOtherShop(ctx context.Context) error {
	order, err := s.fulfillments.fulfillmentOrder(ctx, "shipping")
	if err != nil {
		return err
	}
	other, err := s.otherShop(ctx)
	if err != nil {
		return err
	}
	r := s.importRequest([][]string{{"fulfillmentOrder", "carrier", "trackingNumber"}, {text(order, "id"), "cj", "123456789012"}})
	r.header = withSecretKey(other.TestSecretKey)
	return s.try(ctx, r)
}

func (s *carrierFileSteps) wantResult(applied, unchanged string) error {
	if err := s.wantSuccess(); err != nil {
		return err
	}
	if err := equal("the number of rows applied", s.got.body["applied"], applied); err != nil {
		return fmt.Errorf("%w: it %s", err, s.got)
	}
	return equal("the number of rows unchanged", s.got.body["unchanged"], unchanged)
}

func (s *carrierFileSteps) wantRowNote(where, row string) error {
	all := list(s.got.body, where)
	for _, note := range all {
		if text(note, "row") == row && text(note, "message") != "" {
			return nil
		}
	}
	return fmt.Errorf("the %s are %v", where, all)
}

// wantTracking reads the one parcel of the current order.
func (s *carrierFileSteps) wantTracking(ctx context.Context, carrier, number string) error {
	got, err := s.must(ctx, request{"GET", "/api/fulfillments?where[order][equals]=" + s.orders.id, nil, s.asServer()})
	if err != nil {
		return err
	}
	docs := list(got.body, "docs")
	if len(docs) != 1 {
		return fmt.Errorf("the order has %d parcels", len(docs))
	}
	return errors.Join(
		equal("the carrier", valueAt(docs[0], "carrier"), carrier),
		equal("the tracking number", valueAt(docs[0], "trackingNumber"), number),
	)
}
