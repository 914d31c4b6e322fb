// Package taxfake is a tax service for tests: a real HTTP server that was written from adapters/taxservice/GUIDE.md and shares no code with
// the adapter. It verifies what it is asked, answers the same question with the same bytes, and breaks in every way it is told to.
package taxfake

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Mode is how the service behaves.
type Mode string

// The modes.
const (
	Right       Mode = "right"
	Hanging     Mode = "hanging"      // it never answers
	Failing     Mode = "failing"      // 500
	Refusing    Mode = "refusing"     // 422
	WrongTotal  Mode = "wrong total"  // the sum is one more than the taxes
	WrongTax    Mode = "wrong tax"    // a tax is not its percentage
	UnknownLine Mode = "unknown line" // a line that nobody asked for
	MissingLine Mode = "missing line"
	Negative    Mode = "negative"
	Huge        Mode = "huge"    // megabytes
	Garbled     Mode = "garbled" // no JSON
	Redirecting Mode = "redirecting"
)

// Secret signs questions.
const Secret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="

// Rate is what goods that go to a province cost in taxes.
type Rate struct {
	Name         string
	BasisPoints  int64 // hundredths of a percent
	Jurisdiction string
}

// Question is what the service was asked, as GUIDE.md has it.
type Question struct {
	ID          string `json:"-"` // of the header
	Type        string `json:"type"`
	Environment string `json:"environment"`
	Currency    string `json:"currency"`
	Prices      string `json:"prices"`
	To          Place  `json:"to"`
	From        Place  `json:"from"`
	Customer    struct {
		ID    string `json:"id"`
		TaxID string `json:"taxId"`
	} `json:"customer"`
	Lines    []Line `json:"lines"`
	Shipping *Line  `json:"shipping"`
}

// Place is an address of a question.
type Place struct {
	Country    string `json:"country"`
	Province   string `json:"province"`
	PostalCode string `json:"postalCode"`
	City       string `json:"city"`
	Address1   string `json:"address1"`
}

// Line is a line of a question, or its shipping.
type Line struct {
	Key      string `json:"key"`
	SKU      string `json:"sku"`
	TaxClass string `json:"taxClass"`
	Quantity int64  `json:"quantity"`
	Amount   int64  `json:"amount"`
}

// Server is a running service.
type Server struct {
	*httptest.Server

	mu      sync.Mutex
	more    *sync.Cond // signals a question
	mode    Mode
	rates   map[string][]Rate // by country and province: "US/CA"
	onAsk   func()
	asked   []Question
	answers map[string][]byte // by id
	stop    chan struct{}
}

// New starts a service that taxes by rates, by country and province, and ends it with the test.
func New(t *testing.T, rates map[string][]Rate) *Server {
	t.Helper()
	s := &Server{mode: Right, rates: rates, answers: map[string][]byte{}, stop: make(chan struct{})}
	s.more = sync.NewCond(&s.mu)
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(s.Close)
	t.Cleanup(func() { close(s.stop) })
	return s
}

// Set changes how the service behaves from the next question on.
func (s *Server) Set(m Mode) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mode, s.answers = m, map[string][]byte{}
}

// SetRates changes what goods that go to a country and province cost in taxes.
func (s *Server) SetRates(place string, rates ...Rate) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rates[place], s.answers = rates, map[string][]byte{}
}

// OnAsk has then called with each question, before it is answered.
func (s *Server) OnAsk(then func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.onAsk = then
}

// Asked are the questions so far, oldest first.
func (s *Server) Asked() []Question {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

// Await waits until the service has been asked n questions.
func (s *Server) Await(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.asked) < n {
		s.more.Wait()
	}
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil || r.Method != http.MethodPost || !verified(r.Header, body) {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	q := Question{ID: r.Header.Get("Webhook-Id")}
	if err := json.Unmarshal(body, &q); err != nil || q.Type != "tax.calculate" {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	s.asked = append(s.asked, q)
	s.more.Broadcast()
	mode, then := s.mode, s.onAsk
	answer, known := s.answers[q.ID]
	if !known {
		answer = s.answer(q)
		s.answers[q.ID] = answer
	}
	s.mu.Unlock()
	if then != nil {
		then()
	}
	s.send(w, r, mode, answer)
}

// verified checks the signature of Standard Webhooks.
func verified(h http.Header, body []byte) bool {
	key, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(Secret, "whsec_"))
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(h.Get("Webhook-Id") + "." + h.Get("Webhook-Timestamp") + "."))
	mac.Write(body)
	return h.Get("Webhook-Signature") == "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

func (s *Server) send(w http.ResponseWriter, r *http.Request, mode Mode, answer []byte) {
	switch mode {
	case Hanging:
		select {
		case <-r.Context().Done():
		case <-s.stop:
		}
	case Failing:
		w.WriteHeader(http.StatusInternalServerError)
	case Refusing:
		w.WriteHeader(http.StatusUnprocessableEntity)
	case Redirecting:
		http.Redirect(w, r, "http://169.254.169.254/", http.StatusTemporaryRedirect)
	case Garbled:
		_, _ = io.WriteString(w, "<html>")
	case Huge:
		_, _ = io.WriteString(w, `{"total": 0, "lines": [], "note": "`)
		for range 3 << 10 {
			if _, err := io.WriteString(w, strings.Repeat("x", 1<<10)); err != nil {
				return
			}
		}
		_, _ = io.WriteString(w, `"}`)
	default:
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(answer)
	}
}
