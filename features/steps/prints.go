package steps

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/ledongthuc/pdf"
)

// printSteps print documents, and read what is on their pages.
type printSteps struct {
	*client

	members      *memberSteps
	customers    *customerSteps
	orders       *orderSteps
	fulfillments *fulfillmentSteps
	batches      *carrierBatchSteps

	pages []string // of the file last printed, without spaces
}

func newPrintSteps(
	c *client, members *memberSteps, customers *customerSteps, orders *orderSteps, fulfillments *fulfillmentSteps, batches *carrierBatchSteps,
) *printSteps {
	return &printSteps{client: c, members: members, customers: customers, orders: orders, fulfillments: fulfillments, batches: batches}
}

func (s *printSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^the shop prints the (packing slip|label) of the parcel$`, func(ctx context.Context, what string) error {
			return s.print(ctx, s.parcel(what)+"?locale=en", s.asServer())
		}},
		{`^the shop prints the (packing slip|label) of the parcel in "([^"]*)"$`, func(ctx context.Context, what, language string) error {
			return s.print(ctx, s.parcel(what)+"?locale="+language, s.asServer())
		}},
		{`^the packer "([^"]*)" prints the packing slip of the parcel$`, func(ctx context.Context, name string) error {
			packer, err := s.members.logInToTest(ctx, name)
			if err != nil {
				return err
			}
			return s.print(ctx, s.parcel("packing slip"), packer)
		}},
		{`^the shop prints the labels of all parcels$`, func(ctx context.Context) error { return s.print(ctx, s.labels(), s.asServer()) }},
		{`^another shop prints the labels of all parcels$`, func(ctx context.Context) error {
			other, err := s.otherShop(ctx)
			if err != nil {
				return err
			}
			return s.print(ctx, s.labels(), withSecretKey(other.TestSecretKey))
		}},
		{`^the shop prints the packing slip of what is to be packed$`, func(ctx context.Context) error { return s.printWork(ctx, s.asServer()) }},
		{`^the packer "([^"]*)" prints the packing slip of what is to be packed$`, func(ctx context.Context, name string) error {
			packer, err := s.members.logInToTest(ctx, name)
			if err != nil {
				return err
			}
			return s.printWork(ctx, packer)
		}},
		{`^another shop prints the packing slip of what is to be packed$`, func(ctx context.Context) error {
			other, err := s.otherShop(ctx)
			if err != nil {
				return err
			}
			return s.printWork(ctx, withSecretKey(other.TestSecretKey))
		}},
		{`^the shop prints the (packing slip|label)s of the batch$`, func(ctx context.Context, what string) error {
			document := map[string]string{"packing slip": "packingSlip", "label": "label"}[what]
			return s.print(ctx, "/api/fulfillments/prints?document="+document+"&carrierBatch="+s.batches.id, s.asServer())
		}},
		{`^the shop prints the invoice of the order in "([^"]*)"$`, func(ctx context.Context, language string) error {
			return s.print(ctx, "/api/orders/"+s.orders.id+"/invoice?locale="+language, s.asServer())
		}},
		{`^"([^"]*)" prints the invoice of the order$`, func(ctx context.Context, name string) error {
			return s.print(ctx, "/api/orders/"+s.orders.id+"/invoice", s.customers.as(name))
		}},
		{`^there (?:is|are) (\d+) printed pages?$`, func(n string) error { return equal("printed pages", strconv.Itoa(len(s.pages)), n) }},
		{`^page (\d+) reads "([^"]*)"$`, func(n int, texts string) error { return s.wantOnPage(n, texts, true) }},
		{`^page (\d+) does not read "([^"]*)"$`, func(n int, texts string) error { return s.wantOnPage(n, texts, false) }},
	}
}

func (s *printSteps) parcel(document string) string {
	return "/api/fulfillments/" + s.fulfillments.last() + "/" + strings.ReplaceAll(document, " ", "-")
}

// printWork prints the packing slip of the order's fulfillment order that ships.
func (s *printSteps) printWork(ctx context.Context, as map[string]string) error {
	work, err := s.fulfillments.fulfillmentOrder(ctx, "shipping")
	if err != nil {
		return err
	}
	return s.print(ctx, "/api/fulfillment-orders/"+idOf(work)+"/packing-slip", as)
}

func (s *printSteps) labels() string {
	return "/api/fulfillments/prints?document=label&ids=" + strings.Join(s.fulfillments.ids, ",")
}

// print reads a file, or tries to: a refusal is an answer as any other.
func (s *printSteps) print(ctx context.Context, path string, as map[string]string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.baseURL()+path, nil)
	if err != nil {
		return err
	}
	for name, value := range as {
		req.Header.Set(name, value)
	}
	res, err := s.httpClient().Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }() // it was only read
	if res.StatusCode != http.StatusOK {
		return s.try(ctx, request{"GET", path, nil, as})
	}
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		return err
	}
	file, err := pdf.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		return fmt.Errorf("this is no PDF: %.100q: %w", raw, err)
	}
	s.pages = nil
	for n := range file.NumPage() {
		var page strings.Builder
		for _, letter := range file.Page(n + 1).Content().Text {
			page.WriteString(strings.Trim(letter.S, " \uFFFD")) // the latter ends each piece of text
		}
		s.pages = append(s.pages, page.String())
	}
	return nil
}

// wantOnPage looks for texts, with commas and spaces between them, on a page.
func (s *printSteps) wantOnPage(n int, texts string, want bool) error {
	if n > len(s.pages) {
		return fmt.Errorf("there are %d pages; the last answer was %s", len(s.pages), s.got)
	}
	for text := range strings.SplitSeq(texts, ", ") {
		if strings.Contains(s.pages[n-1], strings.ReplaceAll(text, " ", "")) != want {
			return fmt.Errorf("%q on page %d: %t, want %t: %s", text, n, !want, want, s.pages[n-1])
		}
	}
	return nil
}
