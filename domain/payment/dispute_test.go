package payment

import (
	"reflect"
	"testing"
	"time"
)

func TestCompareDisputes(t *testing.T) {
	t.Parallel()
	due := time.Date(2026, 2, 7, 0, 0, 0, 0, time.UTC)
	open := SeenDispute{ProviderID: "dp_1", Status: DisputeNeedsResponse, Amount: won(100), EvidenceDue: due}
	with := func(change func(*SeenDispute)) SeenDispute { d := open; change(&d); return d }
	reviewed := with(func(d *SeenDispute) { d.Status = DisputeUnderReview })
	lost := with(func(d *SeenDispute) { d.Status = DisputeLost })
	later := with(func(d *SeenDispute) { d.EvidenceDue = due.Add(24 * time.Hour) })
	for name, c := range map[string]struct {
		recorded, seen []SeenDispute
		want           []SeenDispute
	}{
		"none":                  {},
		"new":                   {nil, []SeenDispute{open}, []SeenDispute{open}},
		"new and decided":       {nil, []SeenDispute{lost}, []SeenDispute{lost}},
		"known":                 {[]SeenDispute{open}, []SeenDispute{open}, nil},
		"answered":              {[]SeenDispute{open}, []SeenDispute{reviewed}, []SeenDispute{reviewed}},
		"asked again":           {[]SeenDispute{reviewed}, []SeenDispute{open}, []SeenDispute{open}},
		"prolonged":             {[]SeenDispute{open}, []SeenDispute{later}, []SeenDispute{later}},
		"decided":               {[]SeenDispute{reviewed}, []SeenDispute{lost}, []SeenDispute{lost}},
		"an older answer":       {[]SeenDispute{lost}, []SeenDispute{open}, nil},
		"without a name":        {nil, []SeenDispute{{Status: DisputeLost}}, nil},
		"another one":           {[]SeenDispute{open}, []SeenDispute{with(func(d *SeenDispute) { d.ProviderID = "dp_2" })}, []SeenDispute{with(func(d *SeenDispute) { d.ProviderID = "dp_2" })}},
		"not listed any longer": {[]SeenDispute{open}, nil, nil},
	} {
		var recorded []Dispute
		for _, d := range c.recorded {
			recorded = append(recorded, Dispute{SeenDispute: d, ID: d.ProviderID})
		}
		var got []SeenDispute
		for _, d := range CompareDisputes(recorded, c.seen) {
			got = append(got, d.SeenDispute)
			if known := len(c.recorded) > 0 && d.ProviderID == "dp_1"; (d.ID != "") != known {
				t.Errorf("%s: recorded as %q", name, d.ID)
			}
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}
