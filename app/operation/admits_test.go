package operation_test

import (
	"slices"
	"testing"

	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// kinds are those of all callers.
var kinds = []tenant.Kind{
	"", tenant.Anonymous, tenant.ClientKey, tenant.Customer, tenant.User, tenant.SecretKey, tenant.System, tenant.Provider,
}

// GraphQL has one path: it knows the surface by the caller.
func TestCallersAreAdmittedOnOneSurfaceThatAnOperationHas(t *testing.T) {
	for _, o := range all() {
		admitted := map[operation.Surface]int{}
		for _, kind := range kinds {
			on := 0
			(operation.Both | operation.Root).EachSurface(func(at operation.Surface) {
				if o.Admits(at, kind) {
					admitted[at]++
					on++
				}
			})
			if on > 1 {
				t.Errorf("%s admits %q on %d surfaces", o.Name, kind, on)
			}
		}
		(operation.Both | operation.Root).EachSurface(func(at operation.Surface) {
			if served := o.Surfaces&at != 0; served != (admitted[at] > 0) {
				t.Errorf("%s is served at %q: %t, and admits %d kinds of callers there", o.Name, at.Prefix(), served, admitted[at])
			}
		})
	}
}

func TestSurfacesAreForTheirCallers(t *testing.T) {
	t.Parallel()
	all := operation.Both | operation.Root
	some := []tenant.Kind{tenant.Customer, tenant.SecretKey}
	for name, c := range map[string]struct {
		surfaces operation.Surface
		allowed  []tenant.Kind
		at       operation.Surface
		want     []tenant.Kind
	}{
		"storefronts":                            {all, nil, operation.Public, []tenant.Kind{tenant.ClientKey, tenant.Customer}},
		"the shop's server":                      {all, nil, operation.Server, []tenant.Kind{tenant.SecretKey}},
		"users, beside them":                     {all, nil, operation.Root, []tenant.Kind{tenant.User}},
		"fewer of the storefronts":               {all, some, operation.Public, []tenant.Kind{tenant.Customer}},
		"nobody who is not named":                {all, some, operation.Root, nil},
		"nobody where it is not served":          {operation.Both, some, operation.Root, nil},
		"those who are named":                    {operation.Root, some, operation.Root, some},
		"nobody, without names":                  {operation.Root, nil, operation.Root, nil},
		"those who are named, described by hand": {0, some, operation.Root, some},
		"nobody of them elsewhere":               {0, some, operation.Public, nil},
	} {
		o := operation.Operation{Surfaces: c.surfaces, AllowedKinds: c.allowed}
		var got []tenant.Kind
		for _, kind := range kinds {
			if o.Admits(c.at, kind) {
				got = append(got, kind)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
