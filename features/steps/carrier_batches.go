package steps

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// carrierBatchSteps make batches and look at what became of them.
type carrierBatchSteps struct {
	*client

	orders *orderSteps
	files  *carrierFileSteps
	id     string // of the batch last made
}

func newCarrierBatchSteps(c *client, orders *orderSteps, files *carrierFileSteps) *carrierBatchSteps {
	return &carrierBatchSteps{client: c, orders: orders, files: files}
}

const carrierBatches = "/api/fulfillments/carrier-batches"

func (s *carrierBatchSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^the shop makes a carrier batch$`, s.create},
		{`^the shop makes (\d+) carrier batches at once$`, func(ctx context.Context, n int) error {
			return s.sendConcurrently(ctx, slices.Repeat([]request{s.creation()}, n))
		}},
		{`^there (?:is|are) (\d+) carrier batch(?:es)?$`, s.wantBatches},
		{`^the shop releases the batch$`, func(ctx context.Context) error {
			_, err := s.must(ctx, request{"POST", carrierBatches + "/" + s.id + "/release", object{}, s.asServer()})
			return err
		}},
		{`^the shop ships the batch as "([^"]*)" and "([^"]*)"$`, s.ship},
		{`^the file of the batch lists "([^"]*)" alone$`, s.wantAlone},
		{`^nothing is left to export$`, s.wantNothingLeft},
		{`^the row says "([^"]*)" and the tracking number "([^"]*)"$`, s.wantRow},
		{`^(\d+) of (\d+) of the batch (?:is|are) shipped$`, s.wantShipped},
		{`^the shop corrects the address of the order$`, s.correctAddress},
		{`^the file of the batch says that the "([^"]*)" changed$`, s.wantChanged},
	}
}

func (s *carrierBatchSteps) creation() request {
	return request{"POST", carrierBatches, object{}, s.asServer()}
}

func (s *carrierBatchSteps) create(ctx context.Context) error {
	if err := s.try(ctx, s.creation()); err != nil {
		return err
	}
	s.id, _ = valueAt(s.got.body, "carrierBatch", "id").(string)
	return nil
}

func (s *carrierBatchSteps) wantBatches(ctx context.Context, n string) error {
	got, err := s.must(ctx, request{"GET", "/api/carrier-batches", nil, s.asServer()})
	if err != nil {
		return err
	}
	return equal("the number of batches", got.body["totalDocs"], n)
}

func (s *carrierBatchSteps) download(ctx context.Context) (err error) {
	s.files.rows, err = s.downloadCSV(ctx, carrierBatches+"/"+s.id+"/file")
	return err
}

// ship fills in the file of the batch and uploads it.
func (s *carrierBatchSteps) ship(ctx context.Context, carrier, number string) error {
	if err := s.download(ctx); err != nil {
		return err
	}
	return s.files.importWithTracking(ctx, carrier, number)
}

func (s *carrierBatchSteps) wantAlone(ctx context.Context, items string) error {
	if err := s.download(ctx); err != nil {
		return err
	}
	if err := s.files.wantRows(1); err != nil {
		return err
	}
	return s.files.wantItems(items)
}

func (s *carrierBatchSteps) wantNothingLeft(ctx context.Context) error {
	rows, err := s.downloadCSV(ctx, carrierFile+"?exported=no")
	if err == nil && len(rows) != 1 {
		err = fmt.Errorf("there is left to export: %q", rows)
	}
	return err
}

func (s *carrierBatchSteps) wantRow(state, number string) error {
	row := s.files.rows[1]
	if row[s.files.column("state")] != state || row[s.files.column("trackingNumber")] != number {
		return fmt.Errorf("the row is %q", row)
	}
	return nil
}

func (s *carrierBatchSteps) wantShipped(ctx context.Context, shipped, all string) error {
	got, err := s.must(ctx, request{"GET", carrierBatches + "/" + s.id, nil, s.asServer()})
	if err != nil {
		return err
	}
	if err := equal("what the batch has", valueAt(got.body, "carrierBatch", "count"), all); err != nil {
		return err
	}
	return equal("what is shipped of it", valueAt(got.body, "progress", "shipped"), shipped)
}

func (s *carrierBatchSteps) correctAddress(ctx context.Context) error {
	path := "/api/orders/" + s.orders.id
	got, err := s.must(ctx, request{"GET", path, nil, s.asServer()})
	if err != nil {
		return err
	}
	address, _ := got.body["shippingAddress"].(map[string]any)
	address["address1"] = "1 New Street"
	_, err = s.must(ctx, request{"PATCH", path, object{"shippingAddress": address}, s.asServer()})
	return err
}

func (s *carrierBatchSteps) wantChanged(ctx context.Context, what string) error {
	if err := s.download(ctx); err != nil {
		return err
	}
	row := s.files.rows[1]
	if row[s.files.column("changedSinceExport")] != what || !strings.Contains(fmt.Sprint(row), "1 New Street") {
		return fmt.Errorf("the row is %q", row)
	}
	return nil
}
