package tracing

import (
	"fmt"

	"github.com/redis/go-redis/extra/redisotel/v9"
	goredis "github.com/redis/go-redis/v9"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/extra/bunotel"
)

// BunHook makes spans of bun's queries, without their arguments; nil without traces.
func (t *Tracing) BunHook() bun.QueryHook {
	if t.Tracer() == nil {
		return nil
	}
	return bunotel.NewQueryHook(bunotel.WithTracerProvider(t.childOnly()), bunotel.WithFormattedQueries(false))
}

// InstrumentRedis makes spans of round trips to Redis, without keys and values.
func (t *Tracing) InstrumentRedis(client goredis.UniversalClient) error {
	if t.Tracer() == nil {
		return nil
	}
	if err := redisotel.InstrumentTracing(client, redisotel.WithTracerProvider(t.childOnly()), redisotel.WithDBStatement(false),
		redisotel.WithCallerEnabled(false)); err != nil {
		return fmt.Errorf("trace Redis: %w", err)
	}
	return nil
}
