package rest

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/cartwright-dev/cartwright/app/metering"
	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/app/problem"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/quota"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Meter counts calls and refuses those beyond the limits. app/metering implements it.
type Meter interface {
	// Admit counts a call of a known tenant. Errors: quota.ErrExceeded, quota.ErrVisitorShare,
	// fault.ErrRateLimited; the returned call has the caller's limits either way.
	Admit(ctx context.Context, c metering.Caller) (metering.AdmittedCall, error)
	// AdmitBeyondQuota admits a call that Admit refused for one of the first two.
	AdmitBeyondQuota(k metering.AdmittedCall) metering.AdmittedCall
	// Done ends an admitted call.
	Done(k metering.AdmittedCall, counted bool)
}

// Headers that report limits. Rule limits-5; draft-ietf-httpapi-ratelimit-headers.
const (
	headerLimit     = "X-RateLimit-Limit"
	headerRemaining = "X-RateLimit-Remaining"
	headerReset     = "X-RateLimit-Reset"
	headerPolicy    = "RateLimit-Policy"
	headerState     = "RateLimit"
)

// meter counts the call for its tenant. Calls without accepted credentials are not counted, and neither are
// those that a browser makes with a tenant's client key from an origin that the tenant did not allow.
//
// The X-RateLimit headers report the monthly quota, with Reset in seconds since 1970; when a tighter limit
// refused the call, they report that limit. The RateLimit headers of the draft report the month and the burst
// limit, in seconds from now.
func (e *edge) meter(c *fiber.Ctx) error {
	v := requestInfoOf(c)
	p := &v.auth.principal
	if e.Meter == nil || !v.authenticated || v.auth.err != nil || p.Tenant.ID == "" || p.Kind == tenant.Anonymous {
		return c.Next()
	}
	token := c.Get("X-Cart-Token")
	if token == "" {
		token = c.Get("X-Checkout-Token")
	}
	k, err := e.Meter.Admit(c.UserContext(), metering.Caller{Principal: p, Token: token, Address: v.address})
	if overQuota(err) && e.mayExceedQuota(c, p) {
		v.overQuota = err
		k, err = e.Meter.AdmitBeyondQuota(k), nil
	}
	e.setLimitHeaders(c, k.LimitStatus, err)
	if err != nil {
		return err
	}
	counted := true
	defer func() { e.Meter.Done(k, counted) }() // also when the handler panics
	err = c.Next()
	counted = !overQuota(err)
	if unauthenticated(c, err) {
		counted = false
		for _, name := range [...]string{headerLimit, headerRemaining, headerReset, headerPolicy, headerState} {
			c.Response().Header.Del(name)
		}
	}
	return err
}

// overQuota reports whether a call was refused for a quota.
func overQuota(err error) bool {
	return errors.Is(err, quota.ErrExceeded) || errors.Is(err, quota.ErrVisitorShare)
}

// mayExceedQuota reports whether a call is of those that are never refused for a quota: operations that say so,
// webhooks of payment providers, and what users read. A GraphQL document may be, which its engine decides.
// Rule limits-12.
func (e *edge) mayExceedQuota(c *fiber.Ctx, p *tenant.Principal) bool {
	method, path := c.Method(), strings.TrimSuffix(c.Path(), "/")
	read := method == fiber.MethodGet || method == fiber.MethodHead || strings.EqualFold(wantedMethod(c), fiber.MethodGet)
	if p.Kind == tenant.User && read || path == graphQLPath {
		return true
	}
	return slices.ContainsFunc(e.beyondQuota, func(r routePattern) bool { return r.matches(method, path) })
}

// routePattern is a method and the segments of a path; those that begin with a colon stand for any.
type routePattern struct {
	method   string
	segments []string
}

func (r routePattern) matches(method, path string) bool {
	return (method == r.method || method == fiber.MethodHead && r.method == fiber.MethodGet) &&
		matchesSegments(r.segments, strings.Split(path, "/"))
}

// matchesSegments reports whether a pattern matches a path.
func matchesSegments(pattern, path []string) bool {
	if len(path) != len(pattern) {
		return false
	}
	for i, s := range pattern {
		if s != path[i] && (!strings.HasPrefix(s, ":") || path[i] == "") {
			return false
		}
	}
	return true
}

// beyondQuotaRoutes are the routes of areas that are never refused for a quota.
func beyondQuotaRoutes(areas []Area) (all []routePattern) {
	for _, a := range areas {
		list, ok := a.(Operations)
		if !ok {
			continue
		}
		for i := range list {
			if o := &list[i]; o.BeyondQuota {
				o.Surfaces.EachSurface(func(at operation.Surface) {
					all = append(all, routePattern{o.Method, strings.Split(o.Route(at), "/")})
				})
			}
		}
	}
	return append(all, routePattern{fiber.MethodPost, strings.Split("/api"+webhookRoute, "/")})
}

// unauthenticated reports whether the call was refused for its credentials.
func unauthenticated(c *fiber.Ctx, err error) bool {
	if err != nil {
		return faultOf(err).Kind == fault.Unauthenticated
	}
	return c.Response().StatusCode() == fiber.StatusUnauthorized
}

// setLimitHeaders reports the caller's limits, whether the call was refused or not.
func (e *edge) setLimitHeaders(c *fiber.Ctx, s metering.LimitStatus, refusal error) {
	now, h := e.Now(), &c.Response().Header
	reset := s.Month.Reset()
	if s.Limit != quota.Unlimited {
		h.Set(headerLimit, strconv.FormatInt(s.Limit, 10))
		h.Set(headerRemaining, strconv.FormatInt(quota.Remaining(s.Limit, s.Used), 10))
	}
	h.Set(headerReset, strconv.FormatInt(reset.Unix(), 10))
	var policy, state []byte
	if s.Burst > 0 {
		free := int64(quota.Minute / time.Second) // after a minute the whole burst is free again
		if s.BurstLeft == 0 && errors.Is(refusal, fault.ErrRateLimited) {
			free = problem.Seconds(fault.From(refusal).RetryAfter)
		}
		policy = appendItem(policy, `"burst";q=`, int64(s.Burst), ";w=", int64(quota.Minute/time.Second))
		state = appendItem(state, `"burst";r=`, int64(s.BurstLeft), ";t=", free)
	}
	if s.Limit != quota.Unlimited {
		policy = appendItem(policy, `"month";q=`, s.Limit, ";w=", s.Month.Seconds())
		state = appendItem(state, `"month";r=`, quota.Remaining(s.Limit, s.Used), ";t=", problem.Seconds(reset.Sub(now)))
	}
	if policy != nil {
		h.SetBytesV(headerPolicy, policy)
		h.SetBytesV(headerState, state)
	}
}

// setRefusalLimitHeaders reports the limit that refused the call, which is tighter than the monthly quota.
// Rules limits-5, limits-7.
func setRefusalLimitHeaders(c *fiber.Ctx, f *fault.Error, now time.Time) {
	limit, named := f.Data["limit"].(int64)
	if f.Kind != fault.Limited || !named {
		return
	}
	h := &c.Response().Header
	h.Set(headerLimit, strconv.FormatInt(limit, 10))
	h.Set(headerRemaining, "0")
	h.Set(headerReset, strconv.FormatInt(now.Unix()+problem.Seconds(f.RetryAfter), 10))
}

// appendItem appends a member of a structured-field list: its name and two parameters; name and second
// include their separators.
func appendItem(dst []byte, name string, a int64, second string, b int64) []byte {
	if len(dst) > 0 {
		dst = append(dst, ", "...)
	}
	dst = strconv.AppendInt(append(dst, name...), a, 10)
	return strconv.AppendInt(append(dst, second...), b, 10)
}
