package faultproxy

import (
	"fmt"
	"net/http"
	"regexp"
	"sync"
)

// Kind is what happens to a request.
type Kind string

// What can happen to a request and its answer.
const (
	Drop     Kind = "drop"     // the request is forwarded; once the server's whole answer has arrived, the connection is closed without it
	Truncate Kind = "truncate" // as Drop, after status, headers and half of the body were sent
	Reset    Kind = "reset"    // the connection is reset, and nothing forwarded
	Delay    Kind = "delay"    // the request is forwarded on Release, even if the client has gone by then, like a late packet
	Hold     Kind = "hold"     // the request is forwarded at once, and its answer held back until Release
	Status   Kind = "status"   // the proxy answers like a gateway, and nothing is forwarded
)

// Fault is a fault for coming requests.
type Fault struct {
	Kind   Kind              `json:"kind"`
	Method string            `json:"method,omitempty"` // method of matching requests; "": any but OPTIONS
	Path   string            `json:"path,omitempty"`   // regular expression of matching paths, without query; "": any
	Times  int               `json:"times,omitempty"`  // how many requests it applies to; 0: one
	Status int               `json:"status,omitempty"` // status of the answer; only for Status
	Header map[string]string `json:"header,omitempty"` // as Status
	Body   string            `json:"body,omitempty"`   // as Status
}

// Injection is a fault that was injected.
type Injection struct {
	id        int
	fault     Fault
	path      *regexp.Regexp
	remaining int // requests that it still applies to

	mu        sync.Mutex
	count     int
	triggered chan struct{} // closed at the first trigger
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
	return &Injection{
		id: id, fault: f, path: path, remaining: max(f.Times, 1), triggered: make(chan struct{}), released: make(chan struct{}),
	}, nil
}

// matches reports whether the fault applies to the request.
func (o *Injection) matches(r *http.Request) bool {
	method := o.fault.Method == r.Method || o.fault.Method == "" && r.Method != http.MethodOptions
	return o.remaining > 0 && method && o.path.MatchString(r.URL.Path)
}

// trigger records that the fault has had its effect on a request.
func (o *Injection) trigger() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.count++; o.count == 1 {
		close(o.triggered)
	}
}

// Triggered is closed once the fault has had its effect on a first request: Drop and Truncate have the
// server's answer and withhold it from the client, Hold has it and holds it back, Delay has the whole request
// and holds it back, Reset and Status are done.
func (o *Injection) Triggered() <-chan struct{} { return o.triggered }

// TriggerCount is how often the fault was triggered so far.
func (o *Injection) TriggerCount() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.count
}

// Release releases what Delay and Hold hold back, now and later. It can be called again.
func (o *Injection) Release() { o.once.Do(func() { close(o.released) }) }
