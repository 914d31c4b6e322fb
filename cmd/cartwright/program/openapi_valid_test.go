package program

import (
	"bytes"
	"context"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// An independent validator accepts the document: every reference resolves, every schema, parameter and response is
// valid OpenAPI 3.1, and every example and default matches its schema.
func TestOpenAPIDocumentValidates(t *testing.T) {
	t.Parallel()
	var printed bytes.Buffer
	if err := run(context.Background(), process{
		args: []string{"openapi"}, getenv: func(string) string { return "" }, out: &printed, log: &printed,
	}); err != nil {
		t.Fatal(err)
	}
	d, err := openapi3.NewLoader().LoadFromData(printed.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Validate(t.Context(), openapi3.EnableSchemaFormatValidation(), openapi3.EnableMultiError()); err != nil {
		t.Error(err)
	}
	if d.Paths.Len() == 0 || len(d.Components.Schemas) == 0 {
		t.Errorf("the document has %d paths and %d schemas", d.Paths.Len(), len(d.Components.Schemas))
	}
}
