package figures_test

import (
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/stores"
	"github.com/cartwright-dev/cartwright/domain/registry"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

func TestReports(t *testing.T) {
	stores.OnBoth(t, func(t *testing.T, open stores.Opener) {
		portstest.Reports(t, func(t *testing.T) portstest.ReportsFixture {
			s, _ := open(t, registry.Schemas()...)
			return portstest.ReportsFixture{Store: s, Reports: s.Reports(), Sums: s.ReportSums(), HasBarrier: true}
		})
	})
}
