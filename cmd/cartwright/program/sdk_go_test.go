package program

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os/exec"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	cartwright "github.com/cartwright-dev/cartwright/adapters/sdk/go"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/adapters/testservers/faultproxy"
)

const goSDK = "github.com/cartwright-dev/cartwright/adapters/sdk/go"

// The types of the Go SDK are those of the OpenAPI document; -update generates them.
func TestGoSDKTypesAreUpToDate(t *testing.T) {
	t.Parallel()
	testservers.NoteInputs(t, "../../../adapters/sdk/go/types_gen.go", "../../../adapters/sdk/go/internal/generate")
	document, err := process{}.openAPIDocument("")
	if err != nil {
		t.Fatal(err)
	}
	arguments := []string{"run", "./internal/generate", "-o", "types_gen.go"}
	if !*update {
		arguments = append(arguments, "-check")
	}
	generate := exec.CommandContext(t.Context(), "go", arguments...)
	generate.Dir, generate.Stdin = "../../../adapters/sdk/go", bytes.NewReader(document)
	if out, err := generate.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// callRecorder is a transport that records which functions of the SDK send requests.
type callRecorder struct {
	mu    sync.Mutex
	calls map[string]bool // functions of the SDK on the stack of a request
	paths []string        // of all requests, with their methods
}

// RoundTrip implements http.RoundTripper. The client calls it on the goroutine of its caller.
func (w *callRecorder) RoundTrip(r *http.Request) (*http.Response, error) {
	counters := make([]uintptr, 64)
	frames := runtime.CallersFrames(counters[:runtime.Callers(2, counters)])
	w.mu.Lock()
	w.paths = append(w.paths, r.Method+" "+r.URL.Path)
	for more := true; more; {
		var f runtime.Frame
		if f, more = frames.Next(); strings.HasPrefix(f.Function, goSDK+".") {
			w.calls[strings.TrimPrefix(f.Function, goSDK+".")] = true
		}
	}
	w.mu.Unlock()
	return http.DefaultTransport.RoundTrip(r)
}

// goShop is a shop with a client of the Go SDK, which calls as the shop's server.
type goShop struct {
	*testing.T
	*cartwright.Client

	url         string
	process     serverProcess
	credentials credentials
	proxy       *faultproxy.Proxy
	seen        *callRecorder
	variant     string // of a digital product at 12000 KRW
}

// onGoShops runs a test with a new shop on SQLite, and with one on Postgres.
func onGoShops(t *testing.T, run func(*goShop), env ...string) {
	t.Helper()
	for database, more := range demoVariables {
		t.Run(database, func(t *testing.T) {
			t.Parallel()
			s := startProcess(t, append(append(more(t), env...), "CARTWRIGHT_LOG_LEVEL=warn")...)
			run(newGoShop(t, s))
		})
	}
}

func newGoShop(t *testing.T, s serverProcess) *goShop {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	text, err := s.createShop(ctx, "Gopher")
	if err != nil {
		t.Fatal(err)
	}
	shop := &goShop{T: t, url: s.URL, process: s, proxy: faultproxy.Start(t, s.URL), seen: &callRecorder{calls: map[string]bool{}}}
	if err := json.Unmarshal(text, &shop.credentials); err != nil {
		t.Fatal(err)
	}
	shop.Client = shop.client(nil)
	shop.variant = shop.createProduct("Tea", "12000")
	shop.proxy.Clear()
	return shop
}

// client is another client of the shop, behind the proxy.
func (s *goShop) client(store cartwright.PendingStore) *cartwright.Client {
	s.Helper()
	return s.clientOver(s.seen, store)
}

// clientOver is client with another transport.
func (s *goShop) clientOver(transport http.RoundTripper, store cartwright.PendingStore) *cartwright.Client {
	s.Helper()
	c, err := cartwright.New(cartwright.Config{
		BaseURL: s.proxy.URL, ClientKey: s.credentials.TestClientKey, SecretKey: s.credentials.TestSecretKey, Pending: store,
		HTTPClient: &http.Client{Transport: transport},
		Retry:      cartwright.Retry{BaseDelay: time.Millisecond, MaxDelay: 5 * time.Millisecond},
	})
	if err != nil {
		s.Fatal(err)
	}
	return c
}

// goResult is the result of a call.
type goResult[T any] struct {
	out T
	err error
}

func callResult[T any](out T, err error) goResult[T] { return goResult[T]{out, err} }

// ok is the result of a call; it fails the test if the call failed.
func (a goResult[T]) ok(t testing.TB) T {
	t.Helper()
	if a.err != nil {
		t.Fatal(a.err)
	}
	return a.out
}

// refused is the error of a call; it fails the test unless the call failed with that reason.
func (a goResult[T]) refused(t testing.TB, reason cartwright.Reason) *cartwright.Error {
	t.Helper()
	var refusal *cartwright.Error
	if !errors.As(a.err, &refusal) || refusal.Reason != reason {
		t.Fatalf("%v, want %s", a.err, reason)
	}
	return refusal
}

// createProduct creates a digital product, and returns its variant.
func (s *goShop) createProduct(name string, price cartwright.Amount) string {
	s.Helper()
	created := callResult(s.Collections.Products.Create(s.Context(), cartwright.ProductCreate{
		Name: name, Price: price, Status: cartwright.ProductStatusPublished,
		Variants: []cartwright.ProductVariantInput{{Title: "One", Kind: cartwright.VariantKindDigital, Stock: new(int64(100))}},
	})).ok(s)
	found := callResult(s.Collections.ProductVariants.Find(s.Context(),
		cartwright.Query{Where: cartwright.Where{"product": cartwright.Where{"equals": created.Doc.ID}}})).ok(s)
	return found.Docs[0].ID
}

// helpersOf are the exported methods of a service, by their names in a stack trace.
func helpersOf(service reflect.Value) (names []string) {
	t := service.Type()
	kind, _, generic := strings.Cut(t.Name(), "[")
	if t.Kind() == reflect.Pointer {
		kind = "(*" + t.Elem().Name() + ")"
	}
	if generic {
		kind += "[...]"
	}
	for m := range t.Methods() {
		names = append(names, kind+"."+m.Name)
	}
	return names
}

// allHelpers are the helpers of every service and collection of a client.
func allHelpers(c *cartwright.Client) map[string]bool {
	all := map[string]bool{}
	add := func(v reflect.Value) {
		for _, name := range helpersOf(v) {
			all[name] = true
		}
	}
	for field, f := range reflect.ValueOf(c).Elem().Fields() {
		if field.IsExported() && f.Kind() == reflect.Pointer {
			add(f)
		}
	}
	add(reflect.ValueOf(c.PaymentSessions.Custom))
	all["MediaCollection.Upload"] = true // not of a role
	for _, collection := range reflect.ValueOf(c.Collections).Fields() {
		for _, role := range collection.Fields() {
			add(role)
		}
	}
	return all
}

func TestEveryGoSDKHelper(t *testing.T) {
	t.Parallel()
	onGoShops(t, func(s *goShop) {
		for name, check := range map[string]func(*goShop){
			"products": (*goShop).checkProducts, "carts": (*goShop).checkCarts, "previous carts": (*goShop).checkPreviousCarts,
			"checkouts": (*goShop).checkCheckouts, "payments": (*goShop).checkPayments, "captures": (*goShop).checkCaptures,
			"aggregator payments": (*goShop).checkAggregator,
			"custom payments":     (*goShop).checkCustomPayments, "draft orders": (*goShop).checkDrafts, "returns": (*goShop).checkReturns,
			"invitations":       (*goShop).checkInvitations,
			"complete products": (*goShop).checkCompleteProducts,
			"exports":           (*goShop).checkExports, "imports": (*goShop).checkImports, "prints": (*goShop).checkPrints,
			"records": (*goShop).checkRecords, "media": (*goShop).checkMedia, "pending calls": (*goShop).checkResume,
		} {
			s.Run(name, func(t *testing.T) {
				one := *s
				one.T = t
				check(&one)
			})
		}
		missed := allHelpers(s.Client)
		offline := []string{"(*CartService).Cached", "(*PendingService).List", "(*PendingService).Discard"} // these send no requests
		// AllRows asks by Rows while it is read, in a function of its caller.
		offline = append(offline, "(*ImportService).AllRows")
		for _, name := range offline {
			delete(missed, name)
		}
		if len(missed) < 70 {
			s.Errorf("only %d helpers were found", len(missed))
		}
		for name := range missed {
			if !s.seen.calls[name] {
				s.Errorf("%s was never called", name)
			}
		}
		for _, path := range s.seen.paths {
			if strings.Contains(path, "/commerce/") && !strings.Contains(path, " /api/server/commerce/") {
				s.Errorf("%s is not below /server", path)
			}
		}
	})
}

// The SDK decodes the records of every collection, with their relations, in the demo shop, which has records of most.
func TestGoSDKReadsEveryCollection(t *testing.T) {
	t.Parallel()
	dir := demoFolder(t)
	s := startProcess(t, "CARTWRIGHT_DATA="+dir, "CARTWRIGHT_LOG_LEVEL=warn")
	credentials, err := readCredentials((&Config{Data: dir}).File(credentialsFile))
	if err != nil {
		t.Fatal(err)
	}
	c, err := cartwright.New(cartwright.Config{BaseURL: s.URL, SecretKey: credentials.TestSecretKey})
	if err != nil {
		t.Fatal(err)
	}
	filled := 0 // collections with records
	all := reflect.ValueOf(c.Collections)
	for i := range all.NumField() {
		name := all.Type().Field(i).Name
		for depth := range int64(3) {
			q := cartwright.Query{Limit: 50, Depth: depth, Sort: "-createdAt"}
			out := all.Field(i).MethodByName("Find").Call([]reflect.Value{reflect.ValueOf(t.Context()), reflect.ValueOf(q)})
			if !out[1].IsNil() {
				t.Errorf("%s at depth %d: %v", name, depth, out[1])
				continue
			}
			counted := all.Field(i).MethodByName("Count").Call([]reflect.Value{
				reflect.ValueOf(t.Context()), reflect.Zero(reflect.TypeFor[cartwright.Where]()),
			})
			docs, total := out[0].FieldByName("Docs"), out[0].FieldByName("TotalDocs").Int()
			if !counted[1].IsNil() || counted[0].Int() != total || int64(docs.Len()) != min(total, 50) {
				t.Errorf("%s: %d of %d, counted %v", name, docs.Len(), total, counted)
			}
			for j := range docs.Len() {
				if docs.Index(j).FieldByName("ID").String() == "" ||
					docs.Index(j).FieldByName("CreatedAt").Interface().(time.Time).IsZero() {
					t.Errorf("%s: %v", name, docs.Index(j))
				}
			}
			if depth == 0 && docs.Len() > 0 {
				filled++
			}
		}
	}
	if all.NumField() < 28 || filled < 12 {
		t.Errorf("%d collections, %d with records", all.NumField(), filled)
	}
}

// authorize acts as the buyer at the sandbox provider.
func (s *goShop) authorize(what, id, outcome string) string {
	s.Helper()
	_, body := requestJSON(s.T, "POST", s.url+"/sandbox/authorize", fmt.Sprintf(`{%q: %q, "outcome": %q}`, what, id, outcome))
	return textAt(body, "paymentKey")
}
