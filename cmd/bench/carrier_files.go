package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"sync"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/spreadsheet"
	"github.com/cartwright-dev/cartwright/ports"
)

// carrierPart needs shops with many orders and nothing shipped.
const carrierPart = "carrier"

const (
	carrierFile = "/api/fulfillments/carrier-file"
	fillClients = 32
	heapPoll    = 2 * time.Second // an answer takes the server an eighth of a second, so frequent polls would use most of the processor
)

// carrierFileLoad is a shop with orders to ship.
type carrierFileLoad struct {
	*checkoutLoad

	account account
	format  ports.SpreadsheetFormat
}

// carrier measures the export and import of a carrier file in each format, and the server's memory meanwhile.
func (p *benchConfig) carrier(ctx context.Context, s *testbed, database string) error {
	for _, format := range ports.SpreadsheetFormats {
		d, err := openCarrierFileLoad(ctx, s, format, p.parcels)
		if err != nil {
			return err
		}
		if err := d.measure(ctx, s, database, p.parcels); err != nil {
			return err
		}
	}
	return nil
}

// openCarrierFileLoad creates a shop with orders that cost nothing, and are therefore paid when they are placed.
func openCarrierFileLoad(ctx context.Context, s *testbed, format ports.SpreadsheetFormat, orders int) (*carrierFileLoad, error) {
	d := &carrierFileLoad{
		checkoutLoad: &checkoutLoad{post: newHTTPClient(s.server.URL, fillClients), keys: "bench_" + rand.Text() + "_"}, format: format,
	}
	var err error
	if d.account, err = createTenant(ctx, s.server, "Depot "+string(format)); err != nil {
		return nil, err
	}
	secret := d.account.test
	var policies struct{ Docs []struct{ ID string } }
	if err := d.post.expect(200, request{method: "GET", path: "/api/shipping-policies", secret: secret}, &policies); err != nil {
		return nil, err
	}
	var ignored struct{}
	if err := d.post.expect(200, request{
		method: "PATCH", path: "/api/shipping-policies/" + policies.Docs[0].ID, secret: secret, body: []byte(`{"baseFee": 0}`),
	}, &ignored); err != nil {
		return nil, err
	}
	var created struct{ Doc struct{ ID string } }
	body := []byte(`{"name": "파란 머그컵", "price": 0, "status": "published", "stock": 100000000}`)
	if err := d.post.expect(201, request{method: "POST", path: "/api/products", secret: secret, key: d.key(), body: body}, &created); err != nil {
		return nil, err
	}
	variant, err := variantOf(d.post, secret, created.Doc.ID)
	if err != nil {
		return nil, err
	}
	return d, d.createOrders(variant, orders)
}

// createOrders creates the orders.
func (d *carrierFileLoad) createOrders(variant string, orders int) error {
	desk := &shopTenant{account: d.account}
	desk.secret = d.account.test
	for range productsPerShop {
		desk.items = append(desk.items, fmt.Sprintf(`{"variantId": %q, "quantity": 2}`, variant))
	}
	wires := newRawConns(d.post.base, idleClients)
	defer closeAll(wires)
	return runEach(orders, func(client, i int) error {
		id, err := d.checkout(wires[client], desk, i)
		if err != nil {
			return err
		}
		var ignored struct{}
		return d.step(wires[client], "POST", serverAPI+"/checkouts/"+id+"/complete", desk.secret, "{}", &ignored)
	})
}

// measure exports the file, fills it in, and imports it twice.
func (d *carrierFileLoad) measure(ctx context.Context, s *testbed, database string, orders int) error {
	var file []byte
	err := d.measureOnce(ctx, s, fmt.Sprintf("%s, %s of %d rows out", database, d.format, orders), orders, func() (err error) {
		file, err = d.call(ctx, http.MethodGet, carrierFile+"?carrier=cj&format="+string(d.format), "", nil)
		return err
	})
	if err != nil {
		return err
	}
	back, kind, err := d.withTrackingNumbers(file)
	if err != nil {
		return err
	}
	for n, want := range []string{"applied", "unchanged"} {
		var answer []byte
		err := d.measureOnce(ctx, s,
			fmt.Sprintf("%s, %s of %d rows in, %s", database, d.format, orders, []string{"the first time", "again"}[n]), orders,
			func() (err error) {
				answer, err = d.call(ctx, http.MethodPost, carrierFile, kind, back)
				return err
			})
		if err != nil {
			return err
		}
		var report map[string]any
		if err := json.Unmarshal(answer, &report); err != nil || report[want] != float64(orders) {
			return fmt.Errorf("not all of %d rows are %s: %.300s", orders, want, answer)
		}
	}
	return nil
}

// measureOnce measures the time of one step, and the largest heap of the server, without garbage.
func (d *carrierFileLoad) measureOnce(ctx context.Context, s *testbed, title string, orders int, do func() error) error {
	before, err := s.heapAfterGC(ctx)
	if err != nil {
		return err
	}
	watching, cancel := context.WithCancel(ctx)
	most := 0
	var done sync.WaitGroup
	done.Go(func() {
		for tick := time.NewTicker(heapPoll); watching.Err() == nil; {
			heap, _ := profilerNumber(watching, s.debug, "heap?gc=1&debug=1", "# HeapAlloc = ")
			most = max(most, heap)
			select {
			case <-tick.C:
			case <-watching.Done():
			}
		}
	})
	cpu, used := &cpuMeter{of: s.processes()}, result{count: orders}
	cpu.begin()
	began := time.Now()
	err = do()
	took := time.Since(began)
	cpu.end(&used)
	cancel()
	done.Wait()
	if err == nil {
		fmt.Printf("%-52s %6.2f s   largest heap %5.1f MB, before %.1f MB   %s\n",
			title, took.Seconds(), float64(most)/1e6, float64(before.heap)/1e6, used.cpu)
	}
	return err
}

// call sends one request and returns the answer.
func (d *carrierFileLoad) call(ctx context.Context, method, path, kind string, body []byte) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, method, d.post.base+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("X-API-Key", d.account.test)
	if kind != "" {
		req.Header.Set("Content-Type", kind)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }() // it was only read
	answer, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s %s: status %d: %.300s", method, path, res.StatusCode, answer)
	}
	return answer, err
}

// withTrackingNumbers is a form with the file, with a tracking number in every row.
func (d *carrierFileLoad) withTrackingNumbers(file []byte) (back []byte, kind string, err error) {
	in, err := spreadsheet.Codec{}.Open(bytes.NewReader(file))
	if err != nil {
		return nil, "", err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	var form bytes.Buffer
	m := multipart.NewWriter(&form)
	part, err := m.CreateFormFile("file", "carrier."+string(d.format))
	if err != nil {
		return nil, "", err
	}
	out, err := spreadsheet.Codec{}.Create(part, d.format)
	if err != nil {
		return nil, "", err
	}
	for n := 0; ; n++ {
		row, err := in.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, "", err
		}
		if n > 0 {
			row.Cells = append(row.Cells, "")[:12]
			row.Cells[11] = fmt.Sprintf("%012d", n)
		}
		if err := out.WriteRow(row.Cells); err != nil {
			return nil, "", err
		}
	}
	if err := errors.Join(out.Close(), m.Close()); err != nil {
		return nil, "", err
	}
	return form.Bytes(), m.FormDataContentType(), nil
}
