package rest

import (
	"github.com/cartwright-dev/cartwright/adapters/rest/openapi"
	"github.com/cartwright-dev/cartwright/adapters/rest/read"
	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/quota"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Describer is an Area whose routes have their own handlers. Every route of the server is described by a
// collection, the operation table or a Describer. A test compares routes and descriptions.
type Describer interface {
	Describe() []openapi.Route
}

// commonReasons is what any call below /api may be refused with.
var commonReasons = []*fault.Error{
	fault.ErrInternal, fault.ErrUnavailable, fault.ErrMalformed, fault.ErrUnauthenticated, fault.ErrTokenExpired, fault.ErrForbidden,
	access.ErrKeyUnknown, access.ErrKeyMismatch, access.ErrSecretKeyInBrowser, access.ErrCrossSite, access.ErrNotMember, tenant.ErrSuspended,
	access.ErrSecondFactorMissing,
	ErrOrigin, ErrNoRoute, read.ErrTooLarge, read.ErrMediaType, ErrTruncated, quota.ErrExceeded, quota.ErrVisitorShare, fault.ErrRateLimited,
}

// Document describes the server that New makes of o, as an OpenAPI document in JSON.
func Document(o Options) []byte {
	spec := openapi.Spec{
		Version: o.Version, URL: o.PublicURL, CommonReasons: commonReasons,
		Status:       func(k fault.Kind) int { return errorForms[k].status },
		Success:      func(r ports.ReceiptResult) int { return statuses[r] },
		Routes:       append(health{}.Describe(), docs{}.Describe()...),
		WriteReasons: []*fault.Error{read.ErrForm},
	}
	spec.Registry, _ = collection.NewRegistry()
	for _, list := range [][]Area{o.Root, o.Areas} {
		for _, a := range list {
			switch a := a.(type) {
			case Operations:
				spec.Operations = append(spec.Operations, a...)
			case Collections:
				spec.Registry, spec.Hooks = a.Content.Registry, a.Content.Hooks
			case Describer:
				spec.Routes = append(spec.Routes, a.Describe()...)
			}
		}
	}
	return openapi.Document(spec)
}
