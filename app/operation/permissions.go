package operation

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

var permissionFields = []collection.Field{
	{Name: "own", Kind: collection.Texts, Required: true, Doc: "The permissions of the caller."},
	{
		Name: "permissions", Kind: collection.Array, Required: true, Doc: "What roles of the tenant's own can contain: operations first, then collections.",
		Fields: []collection.Field{
			{Name: "permission", Kind: collection.Text, Required: true, Doc: "Its name, such as orders:fulfill or customers:update."},
			{Name: "description", Kind: collection.Text, Required: true, Doc: "What it lets people do."},
			{Name: "label", Kind: collection.Text, OmitMissing: true, Doc: "What to call it on a screen; of operations only, since collections have names."},
			{Name: "roles", Kind: collection.Texts, Required: true, Doc: "The roles of every tenant that have it."},
		},
	},
}

// Permissions is the operation that lists the permissions of roles, and of the caller. Rule access-52.
func Permissions(r *collection.Registry) []Operation {
	return []Operation{{
		Name: "permissions.list", GraphQL: "permissions", Summary: "List the permissions of roles",
		Doc:    "For pages that show what a person can do, and for those that edit roles. A caller may have permissions that no role can contain, as an admin has.",
		Method: get, Path: "/permissions", Surfaces: Root, Output: permissionFields, BeyondQuota: true, Localized: true,
		AllowedKinds: []tenant.Kind{tenant.User, tenant.SecretKey},
		Run: func(_ context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			own, err := access.PermissionsOf(call.Principal, r)
			if err != nil {
				return idempotency.Response{}, err
			}
			all := access.Permissions(r)
			rows := make([]collection.Record, len(all))
			for i, one := range all {
				rows[i] = collection.Record{"permission": string(one.Permission), "description": one.Doc, "roles": texts(one.Roles)}
				if i < len(tenant.OperationPermissions) { // these come first
					rows[i]["label"], rows[i]["description"] = call.Language.Permission(string(one.Permission), one.Doc)
				}
			}
			return respond(permissionFields, collection.Record{"own": texts(own), "permissions": rows}, nil)
		},
	}}
}
