// Package wire disturbs the connections between a server and its databases: they get slow, lose one
// direction, break in the middle of a message, or are refused. The disturbances are toxics of toxiproxy, used
// as a library.
package wire

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	toxiproxy "github.com/Shopify/toxiproxy/v2"
	"github.com/rs/zerolog"
)

// Proxy forwards connections to one address.
type Proxy struct {
	Addr string // host:port to connect to

	target string
	proxy  *toxiproxy.Proxy
	cut    bool
}

// patience bounds calls of toxiproxy, which may hang when a connection ends while its toxics change.
const patience = 2 * time.Second

// Start forwards to the address from a loopback address of its own, undisturbed.
func Start(to string) (*Proxy, error) {
	zerolog.SetGlobalLevel(zerolog.Disabled) // some toxics ignore their server's logger
	w := &Proxy{Addr: "127.0.0.1:0", target: to}
	if err := w.open(); err != nil {
		return nil, err
	}
	w.Addr = w.proxy.Listen
	return w, nil
}

func (w *Proxy) open() error {
	w.proxy = toxiproxy.NewProxy(toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop()), w.target, w.Addr, w.target)
	return w.proxy.Start()
}

// Cut breaks all connections and refuses new ones.
func (w *Proxy) Cut() {
	_ = within(func() error { w.proxy.Stop(); return nil }) // the port is free at once, even if Stop hangs
	w.cut = true
}

// Repair ends all disturbances. Connections that lost data are closed; the others stay.
func (w *Proxy) Repair(ctx context.Context) error {
	if !w.cut {
		toxics := w.proxy.Toxics
		if within(func() error { toxics.ResetToxics(ctx); return nil }) == nil {
			return nil
		}
		w.Cut()
	}
	err := w.open()
	for end := time.Now().Add(patience); err != nil && time.Now().Before(end); err = w.open() {
		time.Sleep(10 * time.Millisecond) // the port will be free soon
	}
	w.cut = err != nil
	return err
}

// errTimeout means that toxiproxy did not answer in time.
var errTimeout = errors.New("toxiproxy hangs")

// within is the error of f, if f returns in time. Errors: errTimeout.
func within(f func() error) error {
	done := make(chan error, 1)
	go func() { done <- f() }()
	select {
	case err := <-done:
		return err
	case <-time.After(patience):
		return errTimeout
	}
}

// Fault is one way in which connections fail.
type Fault struct {
	Name   string
	toxics []string // in the format of toxiproxy's API; none: the connections are cut
}

// Disturb applies a fault, also to existing connections.
func (w *Proxy) Disturb(t Fault) error {
	if len(t.toxics) == 0 {
		w.Cut()
		return nil
	}
	toxics := w.proxy.Toxics
	for _, toxic := range t.toxics {
		err := within(func() error {
			_, err := toxics.AddToxicJson(strings.NewReader(toxic))
			return err
		})
		if err != nil && !errors.Is(err, errTimeout) { // it is a fault as well if some connections lack the toxic
			return fmt.Errorf("%s: %w", t.Name, err)
		}
	}
	return nil
}

const (
	upstream   = "upstream"
	downstream = "downstream"
)

// toxic is a toxic of one direction, in the format of toxiproxy's API.
func toxic(kind, direction, attributes string, values ...any) string {
	return fmt.Sprintf(`{"type":%q,"stream":%q,"attributes":{%s}}`, kind, direction, fmt.Sprintf(attributes, values...))
}

// RandomFault draws a random fault.
func RandomFault(dice *rand.Rand) Fault {
	all := AllFaults(dice)
	return all[dice.IntN(len(all))]
}

// AllFaults lists one fault of every kind, with random parameters.
func AllFaults(dice *rand.Rand) []Fault {
	delay, rate, bytes, size := 20+dice.IntN(180), 20+dice.IntN(200), 200+dice.IntN(20_000), 16+dice.IntN(64)
	return []Fault{
		{"cut", nil},
		{fmt.Sprintf("slow by %d ms", delay), []string{
			toxic("latency", upstream, `"latency":%d,"jitter":%d`, delay, delay/2),
			toxic("latency", downstream, `"latency":%d,"jitter":%d`, delay, delay/2),
		}},
		{fmt.Sprintf("narrowed to %d KB/s", rate), []string{toxic("bandwidth", downstream, `"rate":%d`, rate)}},
		{fmt.Sprintf("sliced into %d bytes", size), []string{
			toxic("slicer", downstream, `"average_size":%d,"size_variation":%d,"delay":200`, size, size/2),
		}},
		{"without answers", []string{toxic("timeout", downstream, `"timeout":0`)}},
		{"without requests", []string{toxic("timeout", upstream, `"timeout":0`)}},
		{"silent", []string{toxic("timeout", upstream, `"timeout":0`), toxic("timeout", downstream, `"timeout":0`)}},
		{fmt.Sprintf("silent, then broken after %d ms", delay), []string{toxic("timeout", downstream, `"timeout":%d`, delay)}},
		{fmt.Sprintf("reset after %d ms", delay), []string{toxic("reset_peer", downstream, `"timeout":%d`, delay)}},
		{fmt.Sprintf("broken after %d bytes", bytes), []string{toxic("limit_data", downstream, `"bytes":%d`, bytes)}},
	}
}

// Rewrite is url with the address of the proxy in place of its target.
func (w *Proxy) Rewrite(url string) string { return strings.Replace(url, w.target, w.Addr, 1) }
