package placement_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/app/placement"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// shop has one tenant with its settings.
type shop struct {
	ports.APIKeys

	settings tenant.Settings
}

func (s shop) Tenant(context.Context, tenant.ID) (tenant.Settings, error) { return s.settings, nil }

// counts is a ports.OrderCounts of one caller.
type counts map[string]int64

func (c counts) Next(_ context.Context, _ tenant.ID, _ tenant.Environment, series string, step int64) (int64, error) {
	c[series] += step
	return c[series], nil
}

func numbersOf(format, zone string, now time.Time) placement.Numbers {
	return placement.Numbers{
		Tenants: shop{settings: tenant.Settings{OrderNumberFormat: format, TimeZone: zone}}, Counts: counts{}, Now: func() time.Time { return now },
	}
}

func TestNumbersAreOfTheShopsDay(t *testing.T) {
	t.Parallel()
	evening := time.Date(2026, 1, 31, 20, 0, 0, 0, time.UTC)
	for zone, want := range map[string]string{
		"": "20260131-0001", "UTC": "20260131-0001", "Asia/Seoul": "20260201-0001", "America/New_York": "20260131-0001",
		"Mars/Olympus": "20260131-0001", // of a newer server's zones
	} {
		got, err := numbersOf("{YYYYMMDD}-{SEQ}", zone, evening).Draw(t.Context(), "t", tenant.Live, 0)
		if err != nil || got != want {
			t.Errorf("%s: %s, %v; want %s", zone, got, err, want)
		}
	}
}

// However many numbers imported orders have, a few attempts pass them.
func TestCountedNumbersPassThoseOfImportedOrders(t *testing.T) {
	t.Parallel()
	numbers := numbersOf("{SEQ}", "", time.Now())
	place := func(free int64) func(string) error {
		return func(number string) error {
			if len(number) == 4 && number < "2000" && free > 0 {
				return ports.ErrDuplicate
			}
			return nil
		}
	}
	if err := numbers.WithFreshNumber(t.Context(), "t", tenant.Live, place(2000)); err != nil {
		t.Error(err)
	}
	failed := errors.New("failed")
	if err := numbers.WithFreshNumber(t.Context(), "t", tenant.Live, func(string) error { return failed }); !errors.Is(err, failed) {
		t.Error(err)
	}
}
