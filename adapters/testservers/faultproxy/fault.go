package faultproxy

import (
	"fmt"
	"net/http"
	"regexp"
	"sync"
)

// Kind is what becomes of a request.
type Kind string

// What can happen to a request and its answer.
const (
	Drop     Kind = "drop"     // it is passed on, and once the server's whole answer is here the connection is closed without it
	Truncate Kind = "truncate" // as Drop, but status, headers and half of the body are answered before
	Reset    Kind = "reset"    // the connection is reset, and nothing passed on
	Delay    Kind = "delay"    // it is passed on when it is released, even if the client is gone by then, as a late packet is
	Hold     Kind = "hold"     // it is passed on at once, and its answer kept back until it is released
	Status   Kind = "status"   // it is answered by the proxy, as by a gateway, and not passed on
)

// Fault is an order for requests to come.
type Fault struct {
	Kind   Kind              `json:"kind"`
	Method string            `json:"method,omitempty"` // of the requests it is for; "": any but OPTIONS
	Path   string            `json:"path,omitempty"`   // regular expression that their path, without query, must match; "": any
	Times  int               `json:"times,omitempty"`  // how many requests it is for; 0: one
	Status int               `json:"status,omitempty"` // of the answer, for the kind Status alone
	Header map[string]string `json:"header,omitempty"` // as Status
	Body   string            `json:"body,omitempty"`   // as Status
}

// Injection is a fault that was ordered.
type Injection struct {
	id        int
	fault     Fault
	path      *regexp.Regexp
	remaining int // requests it is still for

	mu        sync.Mutex
	count     int
	triggered chan struct{} // closed with the first strike
	released  chan struct{} // closed by Release
	once      sync.Once
}

func newInjection(id int, f Fault) (*Injection, error) {
	path, err := regexp.Compile(f.Path)
	if err != nil {
		return nil, err
	}
	switch f.Kind {
	case Drop, Truncate, Reset, Delay, Hold:
		if f.Status != 0 || f.Header != nil || f.Body != "" {
			return nil, fmt.Errorf("a fault %q answers nothing of its own", f.Kind)
		}
	case Status:
		if f.Status < 200 || f.Status > 599 {
			return nil, fmt.Errorf("%d is no status of an answer", f.Status)
		}
	default:
		return nil, fmt.Errorf("%q is no kind of fault", f.Kind)
	}
	return &Injection{id: id, fault: f, path: path, remaining: max(f.Times, 1), triggered: make(chan struct{}), released: make(chan struct{})}, nil
}

// matches reports whether the order is for the request.
func (o *Injection) matches(r *http.Request) bool {
	method := o.fault.Method == r.Method || o.fault.Method == "" && r.Method != http.MethodOptions
	return o.remaining > 0 && method && o.path.MatchString(r.URL.Path)
}

// trigger notes that the fault has done to a request what can be seen from outside.
func (o *Injection) trigger() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.count++; o.count == 1 {
		close(o.triggered)
	}
}

// Triggered is closed once the fault has met its first request: Drop and Truncate have the server's answer and let the client
// go without, Hold has it and keeps it back, Delay has the whole request and keeps it back, Reset and Status are done.
func (o *Injection) Triggered() <-chan struct{} { return o.triggered }

// TriggerCount is how many requests the fault has met so far.
func (o *Injection) TriggerCount() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.count
}

// Release lets go what Delay and Hold keep back, and what they would keep back later. A second call does nothing.
func (o *Injection) Release() { o.once.Do(func() { close(o.released) }) }
