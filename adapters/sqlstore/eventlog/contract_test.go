package eventlog_test

import (
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/stores"
	"github.com/cartwright-dev/cartwright/ports"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

func TestEventLog(t *testing.T) {
	stores.OnBoth(t, func(t *testing.T, open stores.Opener) {
		portstest.EventLog(t, func(t *testing.T) portstest.EventLogFixture {
			s, _ := open(t, portstest.EventSchemas()...)
			log := s.EventLog()
			return portstest.EventLogFixture{Store: s, Logs: []ports.EventLog{log, log.Narrow(1), log.Narrow(5)}, Number: stores.Number(s)}
		})
	})
}

func TestEventTrimmer(t *testing.T) {
	stores.OnBoth(t, func(t *testing.T, open stores.Opener) {
		portstest.EventTrimmer(t, func(t *testing.T) portstest.EventTrimmerFixture {
			s, _ := open(t, portstest.EventSchemas()...)
			log := s.EventLog()
			fixture := portstest.EventLogFixture{Store: s, Logs: []ports.EventLog{log, log.Narrow(1)}, Number: stores.Number(s)}
			return portstest.EventTrimmerFixture{EventLogFixture: fixture, Trimmer: log}
		})
	})
}
