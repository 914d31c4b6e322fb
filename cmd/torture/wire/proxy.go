// Package wire disturbs the connections between a server and what it stands on: they get slow, lose what one side says,
// break in the middle of a message, or are refused. The disturbances are toxics of toxiproxy, used as a library.
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

// Proxy carries the connections to one address.
type Proxy struct {
	Addr string // host:port to connect to

	target string
	proxy  *toxiproxy.Proxy
	cut    bool
}

// patience bounds what toxiproxy is waited for. It may hang when a connection ends just while its toxics change.
const patience = 2 * time.Second

// Start makes a wire to the address, in order, with an address of its own on loopback.
func Start(to string) (*Proxy, error) {
	zerolog.SetGlobalLevel(zerolog.Disabled) // some toxics log whatever their server's logger says
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
	_ = within(func() error { w.proxy.Stop(); return nil }) // its port is free at once, even if it hangs
	w.cut = true
}

// Repair puts a wire in order again. Connections that lost something are broken; the others stay.
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
		time.Sleep(10 * time.Millisecond) // the port is about to be free
	}
	w.cut = err != nil
	return err
}

// errTimeout says that toxiproxy did not do as it was told in time.
var errTimeout = errors.New("toxiproxy hangs")

// within is f's error, if it ends in time. Errors: errTimeout.
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

// Fault is one way in which a wire fails.
type Fault struct {
	Name   string
	toxics []string // as toxiproxy's API takes them; none: the wire is cut
}

// Disturb brings t over the wire, over the connections that there are, too.
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
		if err != nil && !errors.Is(err, errTimeout) { // some connections without the toxic are trouble as well
			return fmt.Errorf("%s: %w", t.Name, err)
		}
	}
	return nil
}

const (
	upstream   = "upstream"
	downstream = "downstream"
)

// toxic is a toxic of one direction, as toxiproxy's API takes it.
func toxic(kind, direction, attributes string, values ...any) string {
	return fmt.Sprintf(`{"type":%q,"stream":%q,"attributes":{%s}}`, kind, direction, fmt.Sprintf(attributes, values...))
}

// RandomFault throws the dice for a trouble.
func RandomFault(dice *rand.Rand) Fault {
	all := AllFaults(dice)
	return all[dice.IntN(len(all))]
}

// AllFaults lists one trouble of every kind, as strong as the dice say.
func AllFaults(dice *rand.Rand) []Fault {
	delay, rate, bytes, size := 20+dice.IntN(180), 20+dice.IntN(200), 200+dice.IntN(20_000), 16+dice.IntN(64)
	return []Fault{
		{"cut", nil},
		{fmt.Sprintf("slow by %d ms", delay), []string{
			toxic("latency", upstream, `"latency":%d,"jitter":%d`, delay, delay/2), toxic("latency", downstream, `"latency":%d,"jitter":%d`, delay, delay/2),
		}},
		{fmt.Sprintf("narrowed to %d KB/s", rate), []string{toxic("bandwidth", downstream, `"rate":%d`, rate)}},
		{fmt.Sprintf("sliced into %d bytes", size), []string{toxic("slicer", downstream, `"average_size":%d,"size_variation":%d,"delay":200`, size, size/2)}},
		{"without answers", []string{toxic("timeout", downstream, `"timeout":0`)}},
		{"without requests", []string{toxic("timeout", upstream, `"timeout":0`)}},
		{"silent", []string{toxic("timeout", upstream, `"timeout":0`), toxic("timeout", downstream, `"timeout":0`)}},
		{fmt.Sprintf("silent, then broken after %d ms", delay), []string{toxic("timeout", downstream, `"timeout":%d`, delay)}},
		{fmt.Sprintf("reset after %d ms", delay), []string{toxic("reset_peer", downstream, `"timeout":%d`, delay)}},
		{fmt.Sprintf("broken after %d bytes", bytes), []string{toxic("limit_data", downstream, `"bytes":%d`, bytes)}},
	}
}

// Rewrite is url, which leads to where the wire leads, over the wire.
func (w *Proxy) Rewrite(url string) string { return strings.Replace(url, w.target, w.Addr, 1) }
