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

func (w *world) carrierFileSteps() []definition {
	return []definition{
		{`^the shop gets the file for carriers$`, w.getCarrierFile},
		{`^the file has (\d+) rows?$`, w.wantFileRows},
		{`^the file says that the order has "([^"]*)"$`, w.wantFileItems},
		{`^the file does not speak of "([^"]*)"$`, w.wantSilence},
		{`^the shop fills in "([^"]*)" and "([^"]*)" and sends the file back$`, w.fillIn},
		{`^the shop fills in "([^"]*)" and "([^"]*)" and sends the file (\d+) times at once$`, w.fillInTogether},
		{`^the shop sends the same file again$`, func(ctx context.Context) error { return w.try(ctx, w.sent) }},
		{`^the shop sends the file back as it is$`, func(ctx context.Context) error { return w.try(ctx, w.carrierImport(w.sheet)) }},
		{`^the carrier sends a file with the tracking numbers$`, w.sendNumbers},
		{`^the carrier sends an old Korean file with "([^"]*)" and "([^"]*)"$`, w.sendKorean},
		{`^another shop sends a file with a tracking number for it$`, w.sendElsewhere},
		{`^(\d+) rows? (?:is|are) applied and (\d+) (?:is|are) unchanged$`, w.wantApplied},
		{`^row (\d+) is refused$`, func(row string) error { return w.wantRowNote("errors", row) }},
		{`^row (\d+) comes with a warning$`, func(row string) error { return w.wantRowNote("warnings", row) }},
		{`^the parcel of the order goes by "([^"]*)" as "([^"]*)"$`, w.wantParcelOfOrder},
	}
}

const carrierFile = "/api/fulfillments/carrier-file"

// getCarrierFile keeps the file as a spreadsheet program would show it, its header first.
func (w *world) getCarrierFile(ctx context.Context) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, w.base()+carrierFile+"?format=csv", nil)
	if err != nil {
		return err
	}
	for name, value := range w.asOwner() {
		req.Header.Set(name, value)
	}
	res, err := w.client().Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }() // it was only read
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		return err
	}
	text, marked := strings.CutPrefix(string(raw), "\uFEFF")
	if res.StatusCode != http.StatusOK || !marked || !strings.Contains(res.Header.Get("Content-Disposition"), ".csv") {
		return fmt.Errorf("the file answered %d %.300s", res.StatusCode, raw)
	}
	w.sheet, err = csv.NewReader(strings.NewReader(text)).ReadAll()
	return err
}

// column is where a column of the file stands.
func (w *world) column(name string) int { return slices.Index(w.sheet[0], name) }

func (w *world) wantFileRows(n int) error {
	if got := len(w.sheet) - 1; got != n {
		return fmt.Errorf("the file has %d rows: %q", got, w.sheet)
	}
	return nil
}

func (w *world) wantFileItems(want string) error {
	if got := w.sheet[1][w.column("items")]; got != want {
		return fmt.Errorf("the file says %q", got)
	}
	return nil
}

func (w *world) wantSilence(word string) error {
	if all := fmt.Sprint(w.sheet); strings.Contains(all, word) {
		return fmt.Errorf("the file says %s", all)
	}
	return nil
}

// carrierImport is the request that sends a table back.
func (w *world) carrierImport(table [][]string) request {
	var b bytes.Buffer
	out := csv.NewWriter(&b)
	_ = out.WriteAll(table) // into memory
	return w.carrierUpload(b.String())
}

func (w *world) carrierUpload(content string) request {
	var b bytes.Buffer
	m := multipart.NewWriter(&b)
	part, _ := m.CreateFormFile("file", "numbers.csv") // into memory
	_, _ = io.WriteString(part, content)
	_ = m.Close()
	return request{"POST", carrierFile, form{m.FormDataContentType(), b.Bytes()}, w.asOwner()}
}

// filled is the file with the same carrier and number in every row.
func (w *world) filled(carrier, number string) request {
	for _, row := range w.sheet[1:] {
		row[w.column("carrier")], row[w.column("trackingNumber")] = carrier, number
	}
	return w.carrierImport(w.sheet)
}

func (w *world) fillIn(ctx context.Context, carrier, number string) error {
	return w.try(ctx, w.filled(carrier, number))
}

func (w *world) fillInTogether(ctx context.Context, carrier, number string, n int) error {
	return w.together(ctx, slices.Repeat([]request{w.filled(carrier, number)}, n))
}

// sendNumbers takes a table: row (shirts, what ships; guides, what does not), carrier, number.
func (w *world) sendNumbers(ctx context.Context, table *godog.Table) error {
	file := [][]string{{"fulfillmentOrder", "carrier", "trackingNumber"}}
	for _, row := range table.Rows[1:] {
		kind := "shipping"
		if row.Cells[0].Value == "guides" {
			kind = "manual"
		}
		work, err := w.workOf(ctx, kind)
		if err != nil {
			return err
		}
		file = append(file, []string{text(work, "id"), row.Cells[1].Value, row.Cells[2].Value})
	}
	return w.try(ctx, w.carrierImport(file))
}

// sendKorean sends what a program of before Unicode writes, which knows nothing of ours but the order's number.
func (w *world) sendKorean(ctx context.Context, carrier, number string) error {
	got, err := w.must(ctx, request{"GET", "/api/orders/" + w.sold, nil, w.asOwner()})
	if err != nil {
		return err
	}
	file, err := korean.EUCKR.NewEncoder().String("받는분,택배사,운송장번호,주문번호\r\n홍길동," + carrier + "," + number + "," + text(got.body, "orderNumber") + "\r\n")
	if err != nil {
		return err
	}
	return w.try(ctx, w.carrierUpload(file))
}

func (w *world) sendElsewhere(ctx context.Context) error {
	work, err := w.workOf(ctx, "shipping")
	if err != nil {
		return err
	}
	if w.other, err = w.target.Shop(ctx); err != nil {
		return err
	}
	r := w.carrierImport([][]string{{"fulfillmentOrder", "carrier", "trackingNumber"}, {text(work, "id"), "cj", "123456789012"}})
	r.header = map[string]string{"X-API-Key": w.other.TestSecretKey}
	return w.try(ctx, r)
}

func (w *world) wantApplied(applied, unchanged string) error {
	if err := w.succeeded(); err != nil {
		return err
	}
	if err := equal("the number of rows applied", w.got.body["applied"], applied); err != nil {
		return fmt.Errorf("%w: it %s", err, w.got)
	}
	return equal("the number of rows unchanged", w.got.body["unchanged"], unchanged)
}

func (w *world) wantRowNote(where, row string) error {
	all := list(w.got.body, where)
	for _, note := range all {
		if text(note, "row") == row && text(note, "message") != "" {
			return nil
		}
	}
	return fmt.Errorf("the %s are %v", where, all)
}

// wantParcelOfOrder reads the one parcel that the last order has.
func (w *world) wantParcelOfOrder(ctx context.Context, carrier, number string) error {
	got, err := w.must(ctx, request{"GET", "/api/fulfillments?where[order][equals]=" + w.sold, nil, w.asOwner()})
	if err != nil {
		return err
	}
	docs := list(got.body, "docs")
	if len(docs) != 1 {
		return fmt.Errorf("the order has %d parcels", len(docs))
	}
	return errors.Join(equal("the carrier", dig(docs[0], "carrier"), carrier), equal("the tracking number", dig(docs[0], "trackingNumber"), number))
}
