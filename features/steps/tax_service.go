package steps

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync/atomic"
)

// taxServiceSteps runs a tax service of the shop's choice, which asks for 20 % of everything.
type taxServiceSteps struct {
	*client

	carts     *cartSteps
	checkouts *checkoutSteps

	server *httptest.Server
	asked  atomic.Int64
	broken atomic.Bool // it answers with sums that are wrong
}

func newTaxServiceSteps(c *client, carts *cartSteps, checkouts *checkoutSteps) *taxServiceSteps {
	return &taxServiceSteps{client: c, carts: carts, checkouts: checkouts}
}

func (s *taxServiceSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^the market "([^"]*)" asks a tax service that charges 20 %$`, func(ctx context.Context, code string) error {
			return s.open(ctx, code, false)
		}},
		{`^the market "([^"]*)" asks a tax service that charges 20 %, or else the shop's taxes count$`,
			func(ctx context.Context, code string) error { return s.open(ctx, code, true) }},
		{`^the tax service answers with sums that are wrong$`, func() { s.broken.Store(true) }},
		{`^the tax service has been asked (\d+) times?$`, func(want int64) error {
			return equal("the questions", strconv.FormatInt(s.asked.Load(), 10), strconv.FormatInt(want, 10))
		}},
		{`^the checkout was taxed by the (service|fallback|table)$`, func(ctx context.Context, want string) error {
			got, err := s.checkouts.read(ctx)
			if err != nil {
				return err
			}
			return equal("the source", valueAt(got, "checkout", "totals", "taxes", "source"), want)
		}},
	}
}

func (s *taxServiceSteps) open(ctx context.Context, code string, fallback bool) error {
	s.server = httptest.NewServer(http.HandlerFunc(s.answer))
	_, err := s.must(ctx, request{"POST", "/api/tax-connections", object{
		"name": "Service", "environment": "test", "url": s.server.URL, "secret": "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=",
	}, s.asServer()})
	if err != nil {
		return err
	}
	_, err = s.must(ctx, request{"POST", "/api/markets", object{
		"name": "Market " + code, "code": code, "currency": "KRW", "countries": []any{"KR", "DE"}, "taxes": "added", "taxSource": "service",
		"taxFallback": fallback,
	}, s.asServer()})
	return err
}

// answer charges 20 % of each line, which is a multiple of five units, and nothing for shipping, which is free.
func (s *taxServiceSteps) answer(w http.ResponseWriter, r *http.Request) {
	s.asked.Add(1)
	var question struct {
		Lines []struct {
			Key    string `json:"key"`
			Amount int64  `json:"amount"`
		} `json:"lines"`
	}
	body, _ := io.ReadAll(r.Body)
	_ = json.Unmarshal(body, &question) // without lines the answer is refused
	total, lines := int64(0), []any{}
	for _, l := range question.Lines {
		total += l.Amount / 5
		lines = append(lines, object{"key": l.Key, "taxes": []any{object{"name": "Service tax", "percent": "20", "amount": l.Amount / 5}}})
	}
	if s.broken.Load() {
		total++
	}
	_ = json.NewEncoder(w).Encode(object{"lines": lines, "shipping": []any{}, "total": total}) //nolint:errchkjson // the caller has gone
}

// closeService runs at the end of the scenario.
func (s *taxServiceSteps) closeService() {
	if s.server != nil {
		s.server.Close()
	}
}
