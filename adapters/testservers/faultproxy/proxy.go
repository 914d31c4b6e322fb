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

// Request is a request that arrived completely at the proxy.
type Request struct {
	Method    string      `json:"method"`
	Path      string      `json:"path"`                // with query
	Key       string      `json:"key,omitempty"`       // its Idempotency-Key
	Body      string      `json:"body"`                // its bytes; over HTTP only valid text survives
	Header    http.Header `json:"header"`              // as sent by the client
	Fault     Kind        `json:"fault,omitempty"`     // the fault applied; "": none
	Forwarded bool        `json:"forwarded,omitempty"` // forwarded to the server
	Answer    int         `json:"answer,omitempty"`    // the server's status; 0: not forwarded, or not answered yet
	Replayed  bool        `json:"replayed,omitempty"`  // the server replayed the answer of an earlier request
}

// Proxy forwards requests to one server.
type Proxy struct {
	URL string // base URL for clients

	target    *url.URL
	server    *httptest.Server
	transport *http.Transport
	ctx       context.Context //nolint:containedctx // it ends with the proxy
	cancel    context.CancelFunc

	mu         sync.Mutex
	requests   []*Request
	injections []*Injection
	nextID     int // faults so far
}

// New forwards requests from a loopback address to the server at target, until Close.
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

// Start is New for a test, which fails if a fault was never triggered.
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

// Close stops the proxy and drops what it holds back.
func (p *Proxy) Close() {
	p.cancel()
	p.server.Close()
	p.transport.CloseIdleConnections()
}

// InjectNext injects a fault for the next matching request. It panics on an invalid fault.
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

// Requests are the requests since the last Clear, oldest first, without control calls.
func (p *Proxy) Requests() []Request {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := make([]Request, len(p.requests))
	for i, r := range p.requests {
		all[i] = *r
	}
	return all
}

// Untriggered are the faults since the last Clear that no request triggered.
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

// Clear drops recorded requests and all faults, and releases what they hold back.
func (p *Proxy) Clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, o := range p.injections {
		o.Release()
	}
	p.requests, p.injections = nil, nil
}

// record records the request and finds the fault that applies to it, if any.
func (p *Proxy) record(r *http.Request, body []byte) (*Request, *Injection) {
	p.mu.Lock()
	defer p.mu.Unlock()
	e := &Request{
		Method: r.Method, Path: r.URL.RequestURI(), Key: r.Header.Get("Idempotency-Key"), Body: string(body), Header: r.Header.Clone(),
	}
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

// update changes a recorded request.
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
		_, _ = io.WriteString(w, o.fault.Body) // a client that left needs no answer
	case Delay:
		o.trigger()
		p.waitForRelease(o)
		fallthrough
	default:
		lasting, cancel := context.WithCancel(context.WithoutCancel(r.Context())) // the client may leave while its message is on the way
		defer cancel()
		defer context.AfterFunc(p.ctx, cancel)()
		p.forward(w, r.WithContext(lasting), body, e, o)
	}
}

// waitForRelease waits until the fault is released. If the proxy is closed before, nothing is forwarded.
func (p *Proxy) waitForRelease(o *Injection) {
	select {
	case <-o.released:
	case <-p.ctx.Done():
		panic(http.ErrAbortHandler)
	}
}

// resetConnection closes the connection with a reset, so that the client sees an error rather than an end.
func resetConnection(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // otherwise it would close normally
	}
	_ = conn.Close() // best effort
}

// forward forwards the request, and applies the fault, if any, to the answer.
func (p *Proxy) forward(w http.ResponseWriter, r *http.Request, body []byte, e *Request, o *Injection) {
	out := r.Clone(r.Context())
	out.Body, out.ContentLength, out.TransferEncoding = io.NopCloser(bytes.NewReader(body)), int64(len(body)), nil
	p.update(func() { e.Forwarded = true })
	(&httputil.ReverseProxy{
		Rewrite:       func(pr *httputil.ProxyRequest) { pr.SetURL(p.target) },
		Transport:     p.transport,
		FlushInterval: -1, // streams are passed on as they come, and half an answer before a truncation
		ModifyResponse: func(res *http.Response) error {
			p.update(func() { e.Answer, e.Replayed = res.StatusCode, res.Header.Get("Idempotency-Replayed") == "true" })
			if o == nil {
				return nil
			}
			return p.applyFault(res, o)
		},
		ErrorLog:     log.New(io.Discard, "", 0), // truncated answers are intended
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) },
	}).ServeHTTP(w, out)
}

// applyFault waits for the whole answer, and drops, truncates or holds it.
func (p *Proxy) applyFault(res *http.Response, o *Injection) error {
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		return err
	}
	_ = res.Body.Close() // the body was read
	res.Body = io.NopCloser(bytes.NewReader(answer))
	switch o.fault.Kind {
	case Drop:
		o.trigger()
		panic(http.ErrAbortHandler) // net/http closes the connection without logging
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

// truncatedReader makes the end of a truncated answer.
type truncatedReader struct{}

func (truncatedReader) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }
