package graphql_test

import "testing"

func TestACollectionIsReadAndWritten(t *testing.T) {
	bothDatabases(t, func(t *testing.T, s *shop) {
		brand := s.id(`mutation { createBrand(data: {name: "Acme"}) { id } }`)
		s.want(`mutation { createProduct(data: {name: "Mug", status: out_of_stock, price: 20, brand: "`+brand+`"}) { name slug status price brand { name } tags { name } } }`,
			`{"createProduct":{"name":"Mug","slug":"mug","status":"out_of_stock","price":20,"brand":{"name":"Acme"},"tags":[]}}`)
		s.want(`{ Products(where: {status: {equals: out_of_stock}}, sort: "-name") { totalDocs docs { name brand { name } } hasNextPage } countProducts { totalDocs } }`,
			`{"Products":{"totalDocs":1,"docs":[{"name":"Mug","brand":{"name":"Acme"}}],"hasNextPage":false},"countProducts":{"totalDocs":1}}`)
	})
}
