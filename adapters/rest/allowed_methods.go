package rest

import (
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"
)

// listedMethods are the methods in the order in which Allow lists them.
var listedMethods = []string{
	fiber.MethodGet, fiber.MethodHead, fiber.MethodPost, fiber.MethodPut, fiber.MethodPatch, fiber.MethodDelete, fiber.MethodOptions,
}

// refuser is an Area with routes that refuse every request with 405 to say why. Allow does not list them.
type refuser interface {
	refused() []routeKey
}

// routeKey is one route: its method and the pattern of its path.
type routeKey struct{ method, pattern string }

// allowedMethods are the methods of every path, so that 405 and OPTIONS list exactly those. Rule api-25.
//
// A path belongs to its most specific pattern alone: /users/login has the methods of the login, not those of
// /users/:id with an id that cannot exist.
type allowedMethods struct {
	patterns []pathMethods         // the most specific first
	byPath   map[string][]string   // of the patterns without parameters
	routes   map[routeKey]struct{} // of these patterns, with those that refuse every request
}

// pathMethods are the methods of a pattern.
type pathMethods struct {
	segments []string
	methods  []string // as in listedMethods
}

// newAllowedMethods reads the routes of app, of which areas refuse some.
func newAllowedMethods(app *fiber.App, areas []Area) allowedMethods {
	registered := map[routeKey]int{}
	for _, r := range app.GetRoutes(true) { // without middleware
		registered[routeKey{r.Method, strings.TrimRight(r.Path, "/")}]++
	}
	for _, a := range areas {
		if list, ok := a.(refuser); ok {
			for _, r := range list.refused() {
				registered[routeKey{r.method, "/api" + r.pattern}]--
			}
		}
	}
	byPattern := map[string][]string{}
	for _, method := range listedMethods {
		for r, n := range registered {
			if r.method == method && n > 0 {
				byPattern[r.pattern] = append(byPattern[r.pattern], method)
			}
		}
	}
	out := allowedMethods{byPath: map[string][]string{}, routes: map[routeKey]struct{}{}}
	for pattern, methods := range byPattern {
		methods = append(methods, fiber.MethodOptions)
		out.patterns = append(out.patterns, pathMethods{strings.Split(pattern, "/"), methods})
		if !strings.Contains(pattern, ":") {
			out.byPath[pattern] = methods
		}
	}
	for r := range registered {
		if out.byPath[r.pattern] != nil {
			out.routes[r] = struct{}{}
		}
	}
	slices.SortFunc(out.patterns, func(a, b pathMethods) int { return slices.CompareFunc(a.segments, b.segments, compareSegments) })
	return out
}

// compareSegments puts words before parameters.
func compareSegments(a, b string) int {
	if x, y := strings.HasPrefix(a, ":"), strings.HasPrefix(b, ":"); x != y {
		if x {
			return 1
		}
		return -1
	}
	return strings.Compare(a, b)
}

// of are the methods of a path; nil: there is no such path.
func (a allowedMethods) of(path string) []string {
	path = strings.TrimRight(path, "/")
	if methods := a.byPath[path]; methods != nil {
		return methods
	}
	segments := strings.Split(path, "/")
	for _, p := range a.patterns {
		if matchesSegments(p.segments, segments) {
			return p.methods
		}
	}
	return nil
}

// requireMethod refuses a method that the path does not have, although a less specific route has it.
func (e *edge) requireMethod(c *fiber.Ctx) error {
	path := strings.TrimRight(c.Path(), "/")
	if e.allowed.byPath[path] == nil {
		return c.Next()
	}
	if _, ok := e.allowed.routes[routeKey{c.Method(), path}]; !ok {
		return ErrMethod
	}
	return c.Next()
}

// setAllow lists the methods of the path.
func (e *edge) setAllow(c *fiber.Ctx) {
	if methods := e.allowed.of(c.Path()); methods != nil {
		c.Set(fiber.HeaderAllow, strings.Join(methods, ", "))
	}
}
