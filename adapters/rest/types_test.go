package rest_test

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/rest/openapi/openapitest"
	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/domain/collection"
)

// members are the names of a component's properties.
func members(c *openapitest.Contract, schema string) string {
	properties, _ := c.Schema(schema)["properties"].(map[string]any)
	return strings.Join(slices.Sorted(maps.Keys(properties)), " ")
}

// Inputs and results of operations have the same type names as in GraphQL; the shop's server has its own
// types if it sends or gets more.
func TestTypesHaveGraphQLNames(t *testing.T) {
	registry, err := collection.NewRegistry()
	if err != nil {
		t.Fatal(err)
	}
	making := operation.Operation{
		Name: "things.make", GraphQL: "thingMake", Summary: "Make", Method: "POST", Path: "/things", Surfaces: operation.Both,
		Input: []collection.Field{
			{Name: "name", Kind: collection.Text, Required: true, Doc: "N."},
			{Name: "parts", Kind: collection.Array, Doc: "P.", Fields: []collection.Field{
				{Name: "size", Kind: collection.Integer}, {Name: "cost", Kind: collection.Money, VisibleTo: collection.Staff},
			}},
		},
		Output: []collection.Field{
			{Name: "attributes", Kind: collection.JSON, ValueKind: collection.Text, Required: true, Doc: "A."},
			{
				Name: "action", Kind: collection.JSON, Required: true, Doc: "B.",
				Fields: []collection.Field{{Name: "type", Kind: collection.Select, Options: []string{"widget"}, Required: true}},
			},
			{Name: "left", Kind: collection.Integer, VisibleTo: collection.Staff, OmitMissing: true, Doc: "L."},
		},
	}
	alike := making
	alike.Name, alike.GraphQL, alike.Path = "things.alike", "thingAlike", "/alike"
	alike.Input, alike.Output = alike.Input[:1], alike.Output[:2]
	c := contractOf(t, registry, making, alike)
	for schema, want := range map[string]string{
		"ThingMakeInput": "name parts", "ServerThingMakeInput": "name parts", "ThingMakeResult": "action attributes",
		"ServerThingMakeResult": "action attributes left", "ThingAlikeInput": "name", "ServerThingAlikeInput": "",
		"ThingAlikeResult": "action attributes", "ServerThingAlikeResult": "",
	} {
		if got := members(c, schema); got != want {
			t.Errorf("%s has %q, want %q", schema, got, want)
		}
	}
	result, _ := c.Schema("ThingMakeResult")["properties"].(map[string]any)
	for name, want := range map[string]any{
		"attributes": map[string]any{"type": "object", "additionalProperties": map[string]any{"type": "string"}, "description": "A."},
		"action": map[string]any{
			"type": "object", "additionalProperties": false, "required": []any{"type"}, "description": "B.",
			"properties": map[string]any{"type": map[string]any{"type": "string", "enum": []any{"widget"}}},
		},
	} {
		if !reflect.DeepEqual(result[name], want) {
			t.Errorf("%s is %v", name, result[name])
		}
	}
	parts := func(schema string) string {
		p, _ := c.Schema(schema)["properties"].(map[string]any)["parts"].(map[string]any)["items"].(map[string]any)["properties"].(map[string]any)
		return strings.Join(slices.Sorted(maps.Keys(p)), " ")
	}
	if parts("ThingMakeInput") != "size" || parts("ServerThingMakeInput") != "cost size" {
		t.Error(parts("ThingMakeInput"), parts("ServerThingMakeInput"))
	}
	for path, want := range map[string]string{
		"/api/commerce/things": "ThingMakeInput", "/api/server/commerce/things": "ServerThingMakeInput",
		"/api/server/commerce/alike": "ThingAlikeInput",
	} {
		body := c.Operation("POST",
			path)["requestBody"].(map[string]any)["content"].(map[string]any)["application/json"].(map[string]any)["schema"]
		if !reflect.DeepEqual(body, map[string]any{"$ref": "#/components/schemas/" + want}) {
			t.Errorf("%s takes %v", path, body)
		}
	}
}
