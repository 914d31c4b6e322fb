package faultproxy

import (
	"bytes"
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"sync"
	"testing"
)

// Request is one that arrived whole at the proxy.
type Request struct {
	Method    string      `json:"method"`
	Path      string      `json:"path"`                // with its query
	Key       string      `json:"key,omitempty"`       // its Idempotency-Key
	Body      string      `json:"body"`                // its very bytes; over HTTP only what is text survives
	Header    http.Header `json:"header"`              // as the client sent it
	Fault     Kind        `json:"fault,omitempty"`     // that it met; "": none
	Forwarded bool        `json:"forwarded,omitempty"` // the server was asked
	Answer    int         `json:"answer,omitempty"`    // the server's status; 0: it was not asked, or has not answered yet
	Replayed  bool        `json:"replayed,omitempty"`  // the server said that the answer is the one of an earlier request
}

// Proxy passes requests on to one server.
type Proxy struct {
	URL string // that clients take for the server's

	target *url.URL
	server *httptest.Server
	wire   *http.Transport
	life   context.Context
	end    context.CancelFunc

	mu       sync.Mutex
	requests []*Request
	orders   []*Order
	made     int // orders so far
}

// New serves on loopback what the server at target serves, until Close.
func New(target string) (*Proxy, error) {
	to, err := url.Parse(target)
	if err != nil {
		return nil, err
	}
	p := &Proxy{target: to, wire: &http.Transport{DisableCompression: true}}
	p.life, p.end = context.WithCancel(context.Background())
	control := p.control()
	p.server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if isControl(r.URL.Path) {
			control.ServeHTTP(w, r)
			return
		}
		p.serve(w, r)
	}))
	p.server.Config.SetKeepAlivesEnabled(false)
	p.server.Start()
	p.URL = p.server.URL
	return p, nil
}

// Start is New for a test, which fails if a fault it ordered was never met.
func Start(t testing.TB, target string) *Proxy {
	t.Helper()
	p, err := New(target)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, f := range p.Unmet() {
			t.Errorf("no request met the fault %+v", f)
		}
		p.Close()
	})
	return p
}

// Close ends the proxy; what it keeps back is lost.
func (p *Proxy) Close() {
	p.end()
	p.server.Close()
	p.wire.CloseIdleConnections()
}

// Next orders a fault for the next request that fits. It panics if there is no such fault.
func (p *Proxy) Next(f Fault) *Order {
	o, err := p.order(f)
	if err != nil {
		panic(err)
	}
	return o
}

func (p *Proxy) order(f Fault) (*Order, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	o, err := newOrder(p.made+1, f)
	if err != nil {
		return nil, err
	}
	p.made++
	p.orders = append(p.orders, o)
	return o, nil
}

// Requests are those that arrived since the last Forget, the oldest first, but for those about faults themselves.
func (p *Proxy) Requests() []Request {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := make([]Request, len(p.requests))
	for i, r := range p.requests {
		all[i] = *r
	}
	return all
}

// Unmet are the faults ordered since the last Forget that no request has met.
func (p *Proxy) Unmet() []Fault {
	p.mu.Lock()
	defer p.mu.Unlock()
	unmet := []Fault{}
	for _, o := range p.orders {
		if o.Strikes() == 0 {
			unmet = append(unmet, o.fault)
		}
	}
	return unmet
}

// Forget drops the record of requests and all orders, and releases what they keep back.
func (p *Proxy) Forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, o := range p.orders {
		o.Release()
	}
	p.requests, p.orders = nil, nil
}

// arrive writes the request down and finds the order that is for it, if any.
func (p *Proxy) arrive(r *http.Request, body []byte) (*Request, *Order) {
	p.mu.Lock()
	defer p.mu.Unlock()
	e := &Request{Method: r.Method, Path: r.URL.RequestURI(), Key: r.Header.Get("Idempotency-Key"), Body: string(body), Header: r.Header.Clone()}
	p.requests = append(p.requests, e)
	at := slices.IndexFunc(p.orders, func(o *Order) bool { return o.fits(r) })
	if at < 0 {
		return e, nil
	}
	o := p.orders[at]
	o.left--
	e.Fault = o.fault.Kind
	return e, o
}

// note changes what is written down of a request.
func (p *Proxy) note(change func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change()
}

func (p *Proxy) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler) // the client left in the middle of its request
	}
	e, o := p.arrive(r, body)
	if o == nil {
		p.pass(w, r, body, e, nil)
		return
	}
	switch o.fault.Kind {
	case Reset:
		o.strike()
		reset(w)
	case Status:
		for name, value := range o.fault.Header {
			w.Header().Set(name, value)
		}
		o.strike()
		w.WriteHeader(o.fault.Status)
		_, _ = io.WriteString(w, o.fault.Body) // a client that left misses it
	case Delay:
		o.strike()
		p.keep(o)
		fallthrough
	default:
		lasting, cancel := context.WithCancel(context.WithoutCancel(r.Context())) // the client may leave, the message is under way
		defer cancel()
		defer context.AfterFunc(p.life, cancel)()
		p.pass(w, r.WithContext(lasting), body, e, o)
	}
}

// keep waits until the order is released. When the proxy ends before, nothing more is passed on.
func (p *Proxy) keep(o *Order) {
	select {
	case <-o.free:
	case <-p.life.Done():
		panic(http.ErrAbortHandler)
	}
}

// reset closes the connection so that the other side is told of an error, not of an end.
func reset(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // else it only ends
	}
	_ = conn.Close() // that is all there is to do
}

// pass forwards the request, and treats the answer as its order, if any, says.
func (p *Proxy) pass(w http.ResponseWriter, r *http.Request, body []byte, e *Request, o *Order) {
	out := r.Clone(r.Context())
	out.Body, out.ContentLength, out.TransferEncoding = io.NopCloser(bytes.NewReader(body)), int64(len(body)), nil
	p.note(func() { e.Forwarded = true })
	(&httputil.ReverseProxy{
		Rewrite:       func(pr *httputil.ProxyRequest) { pr.SetURL(p.target) },
		Transport:     p.wire,
		FlushInterval: -1, // streams come as they are sent, and half an answer before the cut
		ModifyResponse: func(res *http.Response) error {
			p.note(func() { e.Answer, e.Replayed = res.StatusCode, res.Header.Get("Idempotency-Replayed") == "true" })
			if o == nil {
				return nil
			}
			return p.treat(res, o)
		},
		ErrorLog:     log.New(io.Discard, "", 0), // a cut answer is what was ordered
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) },
	}).ServeHTTP(w, out)
}

// treat waits for the whole answer, and spoils or keeps it.
func (p *Proxy) treat(res *http.Response, o *Order) error {
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		return err
	}
	_ = res.Body.Close() // it is read
	res.Body = io.NopCloser(bytes.NewReader(answer))
	switch o.fault.Kind {
	case Drop:
		o.strike()
		panic(http.ErrAbortHandler) // the server closes the connection, and says nothing
	case Truncate:
		o.strike()
		res.Body = io.NopCloser(io.MultiReader(bytes.NewReader(answer[:len(answer)/2]), broken{}))
	case Hold:
		o.strike()
		p.keep(o)
	}
	return nil
}

// broken is where an answer is cut.
type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }
