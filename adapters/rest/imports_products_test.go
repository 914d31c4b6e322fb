package rest_test

import (
	"strings"
	"testing"
)

// Rule transfers-12.
func TestImportOfProductsMergesRowsIntoProducts(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		b.make("markets", `{"name":"US","code":"us","currency":"USD","exchangeRate":0.001}`)
		b.make("tags", `{"name":"Hot","slug":"hot"}`)
		file := rowsOf("handle,title,status,productPrice,tags,sku,optionValues,price,stock,price:us,Compare-at price in us",
			"tea,Tea,published,10,hot,T-S,Size=S,,3,1.50,", "tea,,,,,T-M,Size=M,12,4,2,3", "cup,Cup,draft,5,,C-1,,,1,,", "pot,,,,,P-1,,,,,",
			"tea,Tea,,,,T-L,Size=L,,,,")
		rejected := []string{"5 rejected title:validation_failed status:validation_failed productPrice:validation_failed", "6 rejected handle:row_repeated"}
		b.imported("products", file, "dryRun", "true").want("done 3 0 2", rejected...)
		if all := b.secret(200, "GET", "/api/products", "").docs(); len(all) != 0 {
			t.Errorf("the dry run made %v", all)
		}
		b.imported("products", file).want("done 3 0 2", rejected...)
		before := b.secret(200, "GET", "/api/products?sort=slug&limit=10", "").raw
		b.imported("products", file).want("done 0 3 2", rejected...)
		if after := b.secret(200, "GET", "/api/products?sort=slug&limit=10", "").raw; after != before {
			t.Errorf("the same file again changed\n%s\nto\n%s", before, after)
		}
		tea, _ := b.secret(200, "GET", "/api/products?where[slug][equals]=tea", "").docs()[0].(map[string]any)
		id, _ := tea["id"].(string)
		whole := b.secret(200, "GET", "/api/products/"+id+"/complete", "").raw
		for _, part := range []string{`"label":"S"`, `"label":"M"`, `"sku":"T-S"`, `"price":12`, `"amount":1.5`, `"compareAtAmount":3`, `"stock":4`} {
			if !strings.Contains(whole, part) {
				t.Errorf("%s is missing: %s", part, whole)
			}
		}
		// A part of the columns and rows: the rest stays, a new value of an option is added, and stock is left to counts.
		b.imported("products", rowsOf("handle,sku,optionValues,stock,price", "tea,T-M,,9,", "tea,T-X,Size=X,7,")).want("done 2 0 0")
		whole = b.secret(200, "GET", "/api/products/"+id+"/complete", "").raw
		for _, part := range []string{`"label":"X"`, `"sku":"T-S"`, `"sku":"T-X"`, `"stock":3`, `"stock":4`, `"stock":7`, `"amount":1.5`} {
			if !strings.Contains(whole, part) {
				t.Errorf("%s is missing: %s", part, whole)
			}
		}
		if strings.Contains(whole, `"price":12`) {
			t.Errorf("an empty cell cleared nothing: %s", whole)
		}
		b.imported("products", rowsOf("handle,sku,optionValues", "cup,C-9,Size=S", "cup,T-S,Size=M")).
			want("done 0 0 2", "2 rejected <nil>:other_row", "3 rejected sku:value_not_unique")
		b.imported("products", rowsOf("handle,productPrice,tags", "cup,1,cold")).want("done 0 0 1", "2 rejected tags:reference_unknown")
		b.imported("products", rowsOf("handle,price:mars", "cup,1")).want("done 0 0 1", "2 rejected <nil>:validation_failed")
		b.imported("products", rowsOf("handle,sku,price:us", "tea,T-S,")).want("done 1 0 0")
		whole = b.secret(200, "GET", "/api/products/"+id+"/complete", "").raw
		if strings.Contains(whole, `"amount":1.5`) || !strings.Contains(whole, `"amount":2`) {
			t.Errorf("the price in a market is there: %s", whole)
		}
		b.imported("products", rowsOf("handle,productPrice,price:us", "cup,cheap,mars")).want("done 0 0 1", "2 rejected productPrice:number price:us:number")
	})
}

// Rule transfers-12.
func TestImportOfOrdersNeverOverwrites(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		header := "orderNumber,status,email,buyerName,totalAmount,title,quantity,unitPrice"
		file := rowsOf(header, "A-1,paid,ann@example.com,Ann,25,Tea,2,10", "A-1,,,,,Cup,1,5", "A-2,paid,,,9,Tea,1,10",
			"A-3,shipped,x@example.com,,10,Tea,1,ten", "A-1,paid,,,10,Tea,1,10")
		rejected := []string{"4 rejected totalAmount:validation_failed", "5 rejected unitPrice:number", "6 rejected orderNumber:row_repeated"}
		b.imported("orders", file).want("done 2 0 3", rejected...)
		b.imported("orders", file).want("done 0 2 3", rejected...)
		b.imported("orders", rowsOf(header, "A-1,paid,ann@example.com,Ann,10,Tea,1,10")).want("done 0 0 1", "2 rejected <nil>:order_number_taken")
		all := b.secret(200, "GET", "/api/orders", "")
		if len(all.docs()) != 1 || !strings.Contains(all.raw, `"totalAmount":25`) {
			t.Errorf("%s", all.raw)
		}
	})
}
