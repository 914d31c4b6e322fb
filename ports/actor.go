package ports

import (
	"context"

	"github.com/cartwright-dev/cartwright/domain/tenant"
)

type actorKey struct{}

// WithActor has what is changed under ctx name a as the one who changed it, unless the change itself names somebody.
func WithActor(ctx context.Context, a tenant.Actor) context.Context {
	return context.WithValue(ctx, actorKey{}, a)
}

// ActorOf is who changes what is changed under ctx: tenant.Server where nobody is named.
func ActorOf(ctx context.Context) tenant.Actor {
	if a, ok := ctx.Value(actorKey{}).(tenant.Actor); ok {
		return a
	}
	return tenant.Server
}

// Importing is ctx and p for an import that p makes: what is changed names it so.
func Importing(ctx context.Context, p tenant.Principal) (context.Context, tenant.Principal) {
	p.Via = tenant.ViaImport
	return WithActor(ctx, p.Actor()), p
}
