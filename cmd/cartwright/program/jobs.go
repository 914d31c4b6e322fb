package program

import (
	"github.com/cartwright-dev/cartwright/adapters/spreadsheet"
	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/app/exports"
	"github.com/cartwright-dev/cartwright/app/imports"
	"github.com/cartwright-dev/cartwright/app/jobs"
	"github.com/cartwright-dev/cartwright/app/personaldata"
)

// openJobs builds what takes longer than a request: erasures, and jobs with their runner.
func (s *Server) openJobs() {
	task, asked := s.background.Task("jobs"), &background.Signal{}
	s.personalData = &personaldata.Service{
		Store: s.invalidatingStore, Records: s.records, Now: s.now, Idempotency: s.idempotency, NewID: newID, Find: s.store.ErasureFinder(),
	}
	s.exports = &exports.Service{
		Store: s.invalidatingStore, Records: s.records, Idempotency: s.idempotency, Blobs: s.blobs, Sheets: spreadsheet.Codec{},
		Asked: asked.Send, Task: task, Now: s.now, NewID: newID,
	}
	s.imports = &imports.Service{
		Writers: imports.Writers{Records: s.records, Cataloging: s.cataloging, Stock: s.stock, Orders: s.orders},
		Store:   s.invalidatingStore, Idempotency: s.idempotency, Blobs: s.blobs, Sheets: spreadsheet.Codec{}, Asked: asked.Send,
		Now: s.now, NewID: newID,
	}
	s.jobs = &jobs.Runner{
		Store: s.invalidatingStore, Kinds: []jobs.Kind{s.exports.Jobs(), s.imports.Jobs()}, Principal: s.access.Acting, Now: s.now, NewID: newID, Log: s.log,
		Task: task, Asked: asked,
	}
}
