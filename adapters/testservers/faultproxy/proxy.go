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

	target    *url.URL
	server    *httptest.Server
	transport *http.Transport
	ctx       context.Context //nolint:containedctx // it ends with the proxy
	cancel    context.CancelFunc

	mu         sync.Mutex
	requests   []*Request
	injections []*Injection
	nextID     int // orders so far
}

// New serves on loopback what the server at target serves, until Close.
func New(target string) (*Proxy, error) {
	to, err := url.Parse(target)
	if err != nil {
		return nil, err
	}
	p := &Proxy{target: to, transport: &http.Transport{DisableCompression: true}}
	p.ctx, p.cancel = context.WithCancel(context.Background())
	control := p.control()
	p.server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if isControlPath(r.URL.Path) {
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
		for _, f := range p.Untriggered() {
			t.Errorf("no request met the fault %+v", f)
		}
		p.Close()
	})
	return p
}

// Close ends the proxy; what it keeps back is lost.
func (p *Proxy) Close() {
	p.cancel()
	p.server.Close()
	p.transport.CloseIdleConnections()
}

// InjectNext orders a fault for the next request that fits. It panics if there is no such fault.
func (p *Proxy) InjectNext(f Fault) *Injection {
	o, err := p.inject(f)
	if err != nil {
		panic(err)
	}
	return o
}

func (p *Proxy) inject(f Fault) (*Injection, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	o, err := newInjection(p.nextID+1, f)
	if err != nil {
		return nil, err
	}
	p.nextID++
	p.injections = append(p.injections, o)
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

// Untriggered are the faults ordered since the last Forget that no request has met.
func (p *Proxy) Untriggered() []Fault {
	p.mu.Lock()
	defer p.mu.Unlock()
	unmet := []Fault{}
	for _, o := range p.injections {
		if o.TriggerCount() == 0 {
			unmet = append(unmet, o.fault)
		}
	}
	return unmet
}

// Clear drops the record of requests and all orders, and releases what they keep back.
func (p *Proxy) Clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, o := range p.injections {
		o.Release()
	}
	p.requests, p.injections = nil, nil
}

// record writes the request down and finds the order that is for it, if any.
func (p *Proxy) record(r *http.Request, body []byte) (*Request, *Injection) {
	p.mu.Lock()
	defer p.mu.Unlock()
	e := &Request{Method: r.Method, Path: r.URL.RequestURI(), Key: r.Header.Get("Idempotency-Key"), Body: string(body), Header: r.Header.Clone()}
	p.requests = append(p.requests, e)
	at := slices.IndexFunc(p.injections, func(o *Injection) bool { return o.matches(r) })
	if at < 0 {
		return e, nil
	}
	o := p.injections[at]
	o.remaining--
	e.Fault = o.fault.Kind
	return e, o
}

// update changes what is written down of a request.
func (p *Proxy) update(change func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change()
}

func (p *Proxy) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler) // the client left in the middle of its request
	}
	e, o := p.record(r, body)
	if o == nil {
		p.forward(w, r, body, e, nil)
		return
	}
	switch o.fault.Kind {
	case Reset:
		o.trigger()
		resetConnection(w)
	case Status:
		for name, value := range o.fault.Header {
			w.Header().Set(name, value)
		}
		o.trigger()
		w.WriteHeader(o.fault.Status)
		_, _ = io.WriteString(w, o.fault.Body) // a client that left misses it
	case Delay:
		o.trigger()
		p.waitForRelease(o)
		fallthrough
	default:
		lasting, cancel := context.WithCancel(context.WithoutCancel(r.Context())) // the client may leave, the message is under way
		defer cancel()
		defer context.AfterFunc(p.ctx, cancel)()
		p.forward(w, r.WithContext(lasting), body, e, o)
	}
}

// waitForRelease waits until the order is released. When the proxy ends before, nothing more is passed on.
func (p *Proxy) waitForRelease(o *Injection) {
	select {
	case <-o.released:
	case <-p.ctx.Done():
		panic(http.ErrAbortHandler)
	}
}

// resetConnection closes the connection so that the other side is told of an error, not of an end.
func resetConnection(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // else it only ends
	}
	_ = conn.Close() // that is all there is to do
}

// forward forwards the request, and treats the answer as its order, if any, says.
func (p *Proxy) forward(w http.ResponseWriter, r *http.Request, body []byte, e *Request, o *Injection) {
	out := r.Clone(r.Context())
	out.Body, out.ContentLength, out.TransferEncoding = io.NopCloser(bytes.NewReader(body)), int64(len(body)), nil
	p.update(func() { e.Forwarded = true })
	(&httputil.ReverseProxy{
		Rewrite:       func(pr *httputil.ProxyRequest) { pr.SetURL(p.target) },
		Transport:     p.transport,
		FlushInterval: -1, // streams come as they are sent, and half an answer before the cut
		ModifyResponse: func(res *http.Response) error {
			p.update(func() { e.Answer, e.Replayed = res.StatusCode, res.Header.Get("Idempotency-Replayed") == "true" })
			if o == nil {
				return nil
			}
			return p.applyFault(res, o)
		},
		ErrorLog:     log.New(io.Discard, "", 0), // a cut answer is what was ordered
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) },
	}).ServeHTTP(w, out)
}

// applyFault waits for the whole answer, and spoils or keeps it.
func (p *Proxy) applyFault(res *http.Response, o *Injection) error {
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		return err
	}
	_ = res.Body.Close() // it is read
	res.Body = io.NopCloser(bytes.NewReader(answer))
	switch o.fault.Kind {
	case Drop:
		o.trigger()
		panic(http.ErrAbortHandler) // the server closes the connection, and says nothing
	case Truncate:
		o.trigger()
		res.Body = io.NopCloser(io.MultiReader(bytes.NewReader(answer[:len(answer)/2]), truncatedReader{}))
	case Hold:
		o.trigger()
		p.waitForRelease(o)
	case Reset, Delay, Status: // happened before the request was passed on
	}
	return nil
}

// truncatedReader is where an answer is cut.
type truncatedReader struct{}

func (truncatedReader) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }
