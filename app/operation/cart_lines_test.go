package operation_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/cartwright-dev/cartwright/app/operation"
)

// Every field of cart.LineInput and cart.UpdateLine is read from the request, except those that the use case sets.
func TestEveryFieldOfCartLineIsRead(t *testing.T) {
	t.Parallel()
	for name, read := range map[string]func(*operation.Input) any{
		"carts.addItem":    func(in *operation.Input) any { return operation.ReadCartLine(in) },
		"carts.updateItem": func(in *operation.Input) any { return operation.ReadLineUpdate(in) },
	} {
		at := slices.IndexFunc(all(), func(o operation.Operation) bool { return o.Name == name })
		o := all()[at]
		request := operation.Request{Surface: operation.Public, Body: samples(o.Input), Params: make([]string, len(o.Params))}
		for i := range request.Params {
			request.Params[i] = "a"
		}
		for field, v := range reflect.ValueOf(read(operation.NewInput(&o, request))).Fields() {
			if setByUseCase := slices.Contains([]string{"LineID", "Facts"}, field.Name); v.IsZero() != setByUseCase {
				t.Errorf("%s: %s is read: %t", name, field.Name, !v.IsZero())
			}
		}
	}
}
