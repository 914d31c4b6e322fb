package graphql

import (
	gql "github.com/graphql-go/graphql"
	"github.com/graphql-go/graphql/language/ast"

	"github.com/cartwright-dev/cartwright/app/gqlrequest"
	"github.com/cartwright-dev/cartwright/domain/collection"
)

// The scalars of the schema besides String, Int and Boolean. Their values are JSON values with exact numbers, in both
// directions, so that no number becomes a float. Parse functions return nil for invalid values.
var (
	// floatScalar is the type of money and other decimals. It is called Float for clients, but is read and
	// written as exact decimal text. Rule graphql-11.
	floatScalar = scalar("Float", "An exact decimal number. Money is in major units: 19.99.", func(v any) any {
		if n, ok := v.(collection.JSONNumber); ok {
			return n // its range and precision are checked where it is used
		}
		return nil
	})
	jsonScalar = gql.NewScalar(gql.ScalarConfig{
		Name: "JSON", Description: "Any JSON value.", Serialize: passThrough, ParseValue: passThrough,
		ParseLiteral: func(v ast.Value) any {
			if tree := literal(v, nil); tree != nil {
				return tree
			}
			return true // a variable or null is a valid value too
		},
	})
	dateScalar = scalar("DateTime", "A point in time: 2026-01-31T09:00:00.000Z.", func(v any) any {
		s, ok := v.(string)
		if !ok {
			return nil
		}
		if _, ok := collection.ParseTime(s); !ok {
			return nil
		}
		return s
	})
	emailScalar  = scalar("EmailAddress", "An email address.", text)
	uploadScalar = gql.NewScalar(gql.ScalarConfig{
		Name: "Upload", Description: "A file, sent according to the GraphQL multipart request specification.",
		Serialize: func(any) any { return nil },
		ParseValue: func(v any) any {
			if u, ok := v.(*gqlrequest.Upload); ok {
				return u
			}
			return nil
		},
		ParseLiteral: func(ast.Value) any { return nil },
	})
)

func passThrough(v any) any { return v }

func text(v any) any {
	if s, ok := v.(string); ok {
		return s
	}
	return nil
}

// scalar makes a scalar whose values are those that parse accepts.
func scalar(name, doc string, parse func(any) any) *gql.Scalar {
	return gql.NewScalar(gql.ScalarConfig{
		Name: name, Description: doc, Serialize: passThrough, ParseValue: parse,
		ParseLiteral: func(v ast.Value) any { return parse(literal(v, nil)) },
	})
}

// literal is a value of the document as a JSON value. Variables are replaced by their values, nil if they have none.
func literal(v ast.Value, variables map[string]any) collection.JSONValue {
	switch v := v.(type) {
	case *ast.Variable:
		return variables[v.Name.Value]
	case *ast.IntValue:
		return collection.JSONNumber(v.Value)
	case *ast.FloatValue:
		return collection.JSONNumber(v.Value)
	case *ast.StringValue:
		return v.Value
	case *ast.EnumValue:
		return v.Value
	case *ast.BooleanValue:
		return v.Value
	case *ast.ListValue:
		list := make([]any, len(v.Values))
		for i, item := range v.Values {
			list[i] = literal(item, variables)
		}
		return list
	case *ast.ObjectValue:
		object := make(map[string]any, len(v.Fields))
		for _, f := range v.Fields {
			object[f.Name.Value] = literal(f.Value, variables)
		}
		return object
	}
	return nil
}
