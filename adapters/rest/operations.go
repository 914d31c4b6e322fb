package rest

import (
	"github.com/gofiber/fiber/v2"

	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
)

// Operations registers the routes of declared operations. Contract 4, 5, 8.
type Operations []operation.Operation

// Mount implements Area. The first match wins, so the order of the table counts.
func (list Operations) Mount(r fiber.Router) {
	for i := range list {
		o := &list[i]
		o.At.Each(func(at operation.Place) {
			route := o.Route(at)
			r.Add(o.Method, route[len("/api"):], func(c *fiber.Ctx) error { return operate(c, o, at, route) })
		})
	}
}

// operate answers one call of o, which came by the prefix at.
func operate(c *fiber.Ctx, o *operation.Operation, at operation.Place, route string) error {
	body, err := operationInput(c, o)
	if err != nil {
		return err
	}
	call, err := caller(c)
	if err != nil {
		return err
	}
	params := make([]string, len(o.Params))
	for i := range params {
		params[i] = c.Params(o.Params[i].Name)
	}
	answer, err := o.Do(c.UserContext(), operation.Request{Call: call, At: at, Route: route, Params: params, Body: body})
	switch {
	case err != nil:
		return err
	case o.Cached && answer.Result == ports.OK:
		return sendRead(c, call.Principal, answer.Body)
	}
	return reply(c, answer)
}

// operationInput is the body, or the declared parameters of the address where o has none.
func operationInput(c *fiber.Ctx, o *operation.Operation) (map[string]any, error) {
	switch {
	case o.BodyRequired():
		return readTree(c)
	case o.HasBody():
		return readOptional(c)
	}
	if filter, filters := o.Filters(); filters {
		return filteredInput(c, o, filter)
	}
	tree := map[string]any{}
	for _, f := range o.Input {
		if text := c.Query(f.Name); text != "" {
			tree[f.Name] = queryValue(f, text)
		}
	}
	return tree, nil
}

// filteredInput is the parameters of an operation with a filter, as lists take them: whatever else stands in the address is
// refused, so that a misspelt filter never reads as none.
func filteredInput(c *fiber.Ctx, o *operation.Operation, filter collection.Field) (map[string]any, error) {
	names := make([]string, len(o.Input))
	for i, f := range o.Input {
		names[i] = f.Name
	}
	params, err := queryOf(c, names)
	if err != nil {
		return nil, err
	}
	for _, f := range o.Input {
		v := params[f.Name]
		switch _, numeral := v.(collection.Numeral); {
		case f.Name == filter.Name:
			params[f.Name], err = whereParam(params)
		case v != nil && !numeral:
			var text string
			if text, err = wordsParam(params, f.Name); text == "" {
				delete(params, f.Name)
			} else {
				params[f.Name] = queryValue(f, text)
			}
		}
		if err != nil {
			return nil, err
		}
	}
	return params, nil
}

// queryValue is what stands in an address as the input takes it.
func queryValue(f collection.Field, text string) collection.Tree {
	switch f.Kind {
	case collection.Integer, collection.Number, collection.Money:
		return collection.Numeral(text)
	case collection.Boolean:
		if text == "true" || text == "false" {
			return text == "true"
		}
	default: // the rest is text
	}
	return text
}

// statuses of what an operation may answer when it succeeds.
var statuses = map[ports.Result]int{"": fiber.StatusOK, ports.OK: fiber.StatusOK, ports.Created: fiber.StatusCreated, operation.Absent: fiber.StatusNotFound}
