package rest_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/encoding/korean"

	"github.com/cartwright-dev/cartwright/adapters/spreadsheet"
	"github.com/cartwright-dev/cartwright/app/jobs"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// rowsOf is a file of rows, whose cells are separated by commas.
func rowsOf(rows ...string) string { return strings.Join(rows, "\n") + "\n" }

// workbook is the same file as a workbook of Excel.
func workbook(t testing.TB, rows ...string) string {
	t.Helper()
	var out bytes.Buffer
	w, err := spreadsheet.Codec{}.Create(&out, ports.XLSX)
	for _, row := range rows {
		err = errors.Join(err, w.WriteRow(strings.Split(row, ",")))
	}
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// instance is the runner of an instance.
func (b *harness) instance() *jobs.Runner {
	now := func() time.Time { return time.UnixMilli(b.clock.Load()).UTC() }
	return &jobs.Runner{
		Store: b.store, Kinds: []jobs.Kind{b.imports.Jobs(), b.exports.Jobs()}, Principal: b.access.Acting, Now: now, NewID: newID,
		Log: slog.New(slog.DiscardHandler), Beat: time.Hour,
	}
}

// runJobs does all jobs.
func (b *harness) runJobs() {
	b.t.Helper()
	for {
		found, err := b.instance().RunNext(context.Background())
		if err != nil {
			b.t.Fatal(err)
		}
		if !found {
			return
		}
	}
}

// startImport sends a file with the secret key of the acting shop.
func (b *harness) startImport(kind, file string, fields ...string) answer {
	b.t.Helper()
	entries := []entry{{"file", "rows.csv", file}, {"kind", "", kind}}
	for i := 0; i < len(fields); i += 2 {
		entries = append(entries, entry{fields[i], "", fields[i+1]})
	}
	return b.sendForm("POST", "/api/imports", entries)
}

// imported sends a file, waits for its import, and answers it.
func (b *harness) imported(kind, file string, fields ...string) imported {
	b.t.Helper()
	a := b.startImport(kind, file, fields...)
	if a.status != 201 {
		b.t.Fatalf("%d %s", a.status, a.raw)
	}
	job, _ := a.body["import"].(map[string]any)
	id, _ := job["id"].(string)
	b.runJobs()
	return imported{b, id, b.secret(200, "GET", "/api/imports/"+id, "").body}
}

type imported struct {
	b   *harness
	id  string
	job map[string]any
}

// counts are the status and the rows applied, unchanged and rejected.
func (i imported) counts() string {
	return fmt.Sprint(i.job["status"], " ", i.job["applied"], " ", i.job["unchanged"], " ", i.job["rejected"])
}

// rows are the rows of a status, "" for all, as number, status and the columns and codes of their errors.
func (i imported) rows(status string) (list []string) {
	i.b.t.Helper()
	path := "/api/imports/" + i.id + "/rows"
	if status != "" {
		path += "?status=" + status
	}
	rows, _ := i.b.secret(200, "GET", path, "").body["rows"].([]any)
	for _, it := range rows {
		row, _ := it.(map[string]any)
		text := fmt.Sprint(row["row"], " ", row["status"])
		problems, _ := row["errors"].([]any)
		for _, p := range problems {
			problem, _ := p.(map[string]any)
			text += fmt.Sprint(" ", problem["column"], ":", problem["code"])
		}
		list = append(list, text)
	}
	return list
}

func (i imported) want(counts string, rejected ...string) {
	i.b.t.Helper()
	if got := i.counts(); got != counts {
		i.b.t.Errorf("got %s, want %s: %v %v", got, counts, i.job["problem"], i.rows("rejected"))
	}
	if got := strings.Join(i.rows("rejected"), "\n"); got != strings.Join(rejected, "\n") {
		i.b.t.Errorf("rejected:\n%s\nwant:\n%s", got, strings.Join(rejected, "\n"))
	}
}

// stockMoves are the movements of the stock of a variant: delta, kind and way.
func (b *harness) stockMoves(variant string) (list []string) {
	b.t.Helper()
	for _, it := range b.secret(200, "GET", "/api/stock-movements?sort=createdAt,id&where[variant][equals]="+variant, "").docs() {
		m, _ := it.(map[string]any)
		actor, _ := m["actor"].(map[string]any)
		list = append(list, fmt.Sprint(m["delta"], " ", m["kind"], " ", actor["via"]))
	}
	return list
}

// variant makes a product with one variant, which it returns.
func (b *harness) variant(name, sku string, stock int) string {
	b.t.Helper()
	a := b.secret(201, "POST", "/api/products/complete", fmt.Sprintf(
		`{"name":%q,"slug":%q,"status":"published","price":10,"variants":[{"sku":%q,"stock":%d}]}`, name, name, sku, stock))
	product, _ := a.body["product"].(map[string]any)
	variants, _ := product["variants"].([]any)
	variant, _ := variants[0].(map[string]any)
	id, _ := variant["id"].(string)
	return id
}

// Rule transfers-11.
func TestImportCountsStock(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		tea, cup := b.variant("tea", "T-1", 5), b.variant("cup", "C-1", 3)
		file := rowsOf("SKU,On hand", "T-1,7", "C-1,3", "X-9,1", "T-1,8", ",4", "C-2,-1", "Z,1.5")
		b.imported("stock", file).want("done 1 1 5", "4 rejected sku:record_not_found", "5 rejected sku:row_repeated", "6 rejected sku:required",
			"7 rejected onHand:number", "8 rejected onHand:number")
		if got := fmt.Sprint(b.stockMoves(tea), b.stockMoves(cup)); got != "[5 initial api 2 count import] [3 initial api]" {
			t.Errorf("got %s", got)
		}
		b.imported("stock", file).want("done 0 2 5", "4 rejected sku:record_not_found", "5 rejected sku:row_repeated", "6 rejected sku:required",
			"7 rejected onHand:number", "8 rejected onHand:number")
		b.imported("stock", workbook(t, "SKU,재고,상품명", "C-1,0,컵")).want("done 1 0 0")
		if got := fmt.Sprint(b.stockMoves(tea), b.stockMoves(cup)); got != "[5 initial api 2 count import] [3 initial api -3 count import]" {
			t.Errorf("got %s", got)
		}
	})
}

// Old programs of Korean Windows send names of files in their own encoding.
func TestImportTakesFilesWithNamesThatAreNoText(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		a := b.sendForm("POST", "/api/imports", []entry{{"file", "\xc0\xe7\xb0\xed.csv", rowsOf("sku,onHand", "T-1,1")}, {"kind", "", "stock"}})
		made, _ := a.body["import"].(map[string]any)
		if name, _ := made["fileName"].(string); a.status != 201 || !strings.HasSuffix(name, ".csv") {
			t.Errorf("%d %s", a.status, a.raw)
		}
	})
}

// Rule transfers-9.
func TestImportFilesAreRefusedAtOnce(t *testing.T) {
	t.Parallel()
	b := newSQLiteHarness(t)
	for name, c := range map[string]struct {
		kind, file, status, reason, told string
		fields                           []string
	}{
		"a column is missing":     {"stock", rowsOf("sku", "T-1"), "400", "import_columns", "onHand", nil},
		"an unknown column":       {"stock", rowsOf("sku,onHand,colour", "T-1,1,red"), "400", "import_columns", "colour", nil},
		"no rows":                 {"stock", "", "400", "sheet_unreadable", "", nil},
		"binary":                  {"stock", "\x00\x01\x02\x03\xff", "400", "sheet_unreadable", "", nil},
		"an archive that is none": {"stock", "PK\x03\x04broken", "400", "sheet_unreadable", "", nil},
		"no kind":                 {"", rowsOf("sku,onHand"), "400", "validation_failed", "kind", nil},
		"another kind":            {"carts", rowsOf("sku,onHand"), "400", "validation_failed", "kind", nil},
		"another mode":            {"stock", rowsOf("sku,onHand"), "400", "validation_failed", "mode", []string{"mode", "replace"}},
		"stock is not created":    {"stock", rowsOf("sku,onHand"), "400", "validation_failed", "mode", []string{"mode", "create"}},
		"orders are not changed":  {"orders", rowsOf("orderNumber"), "400", "validation_failed", "mode", []string{"mode", "update"}},
		"a dry run of a word":     {"stock", rowsOf("sku,onHand"), "400", "validation_failed", "dryRun", []string{"dryRun", "maybe"}},
		"another field":           {"stock", rowsOf("sku,onHand"), "400", "validation_failed", "colour", []string{"colour", "red"}},
		"too many rows": {
			"stock", rowsOf("sku,onHand") + strings.Repeat("T-1,1\n", 100_001), "413", "import_too_long", "", nil,
		},
	} {
		a := b.startImport(c.kind, c.file, c.fields...)
		if fmt.Sprint(a.status) != c.status || a.reason() != c.reason || !strings.Contains(a.raw, c.told) {
			t.Errorf("%s: %d %s", name, a.status, a.raw)
		}
	}
	if a := b.sendForm("POST", "/api/imports", []entry{{"kind", "", "stock"}}); a.status != 400 {
		t.Errorf("without a file: %d %s", a.status, a.raw)
	}
	if all := b.secret(200, "GET", "/api/imports", "").docs(); len(all) != 0 {
		t.Errorf("there are imports: %v", all)
	}
	if n := b.sweepBlobs(); n != 13 {
		t.Errorf("%d files of refused imports are deleted", n)
	}
}

// Rules transfers-8, transfers-10.
func TestImportsBelongToTheirShopAndToThoseWhoMayWrite(t *testing.T) {
	t.Parallel()
	b := newSQLiteHarness(t)
	b.variant("tea", "T-1", 5)
	i := b.imported("stock", rowsOf("sku,onHand", "T-1,6", "X,1"))
	kind, form := form(t, entry{"file", "rows.csv", rowsOf("sku,onHand", "T-1,9")}, entry{"kind", "", "stock"})
	theirs := b.request("POST", "/api/imports", form, "X-API-Key", b.other.SecretKey, "Content-Type", kind)
	b.runJobs()
	if theirs.status != 201 {
		t.Fatalf("%d %s", theirs.status, theirs.raw)
	}
	for _, path := range []string{"", "/rows", "/report"} {
		if a := b.request("GET", "/api/imports/"+i.id+path, "", "X-API-Key", b.other.SecretKey); a.status != 404 {
			t.Errorf("%s: %d %s", path, a.status, a.raw)
		}
		if a := b.request("GET", "/api/imports/"+i.id+path, "", "X-Client-Key", b.shop.ClientKey); a.status != 403 {
			t.Errorf("%s: %d %s", path, a.status, a.raw)
		}
	}
	if a := b.request("POST", "/api/imports/"+i.id+"/cancel", "", "X-API-Key", b.other.SecretKey); a.status != 404 {
		t.Errorf("cancel: %d %s", a.status, a.raw)
	}
	if a := b.request("POST", "/api/imports", form, "X-Client-Key", b.shop.ClientKey, "Content-Type", kind); a.status != 403 {
		t.Errorf("with a client key: %d %s", a.status, a.raw)
	}
	if a := b.secret(200, "GET", "/api/product-variants?where[sku][equals]=T-1", ""); !strings.Contains(a.raw, `"stock":6`) {
		t.Errorf("%s", a.raw)
	}
	report := b.secret(200, "GET", "/api/imports/"+i.id+"/report", "")
	if want := "\ufeffimportRow,importErrors,sku,onHand\r\n3,sku: There is no such variant.,X,1\r\n"; report.raw != want {
		t.Errorf("got %q", report.raw)
	}
	b.imported("stock", strings.Replace(report.raw, "X,1", "T-1,4", 1)).want("done 1 0 0")
}

// Rule transfers-12.
func TestImportOfCustomersChangesWhatItSays(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		ann := b.make("customers", `{"email":"ann@example.com","name":"Ann","phone":"1","groups":["vip"],"addresses":[
			{"label":"Office","address1":"1 Main St"},{"label":"Home","address1":"2 Side St","isDefault":true}]}`)
		file := rowsOf("email,name,phone,address1,groups", "ANN@example.com,Anna,,3 New St,vip|b2b", "bob@example.com,Bob,2,,", "nobody,X,,,",
			"bob@example.com,Bobby,,,")
		b.imported("customers", file, "dryRun", "true").want("done 2 0 2", "4 rejected email:validation_failed", "5 rejected email:row_repeated")
		if a := b.secret(200, "GET", "/api/customers/"+ann, ""); a.body["name"] != "Ann" || a.body["revision"] != 1.0 {
			t.Errorf("the dry run changed %s", a.raw)
		}
		b.imported("customers", file, "mode", "create").want("done 1 0 3", "2 rejected email:record_exists", "4 rejected email:validation_failed",
			"5 rejected email:row_repeated")
		b.imported("customers", file).want("done 1 1 2", "4 rejected email:validation_failed", "5 rejected email:row_repeated")
		a := b.secret(200, "GET", "/api/customers/"+ann, "")
		book, _ := a.body["addresses"].([]any)
		if a.body["name"] != "Anna" || a.body["phone"] != nil || fmt.Sprint(a.body["groups"]) != "[vip b2b]" || len(book) != 2 ||
			book[0].(map[string]any)["address1"] != "1 Main St" || book[1].(map[string]any)["address1"] != "3 New St" {
			t.Errorf("%s", a.raw)
		}
		b.imported("customers", file).want("done 0 2 2", "4 rejected email:validation_failed", "5 rejected email:row_repeated")
		b.imported("customers", rowsOf("email", "carl@example.com"), "mode", "update").want("done 0 0 1", "2 rejected email:record_not_found")
	})
}

// Rule transfers-13.
func TestImportOfDiscountsNamesThingsByWhatPeopleKnow(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		b.variant("tea", "T-1", 5)
		file := rowsOf("code,type,value,tiers,products,isActive,usageLimit", "spring,percentage,10,,tea,true,100",
			"steps,tiered,,50 percentage 10|100 fixed_amount 20,,,", "bad,percentage,101,,,,", "worse,percentage,5,,coffee,,", "worst,percentage,5,,,perhaps,x")
		rejected := []string{
			"4 rejected value:validation_failed", "5 rejected products:reference_unknown", "6 rejected usageLimit:number isActive:boolean",
		}
		i := b.imported("discounts", file)
		if got := i.counts(); got != "done 2 0 3" {
			t.Errorf("%s %v", got, i.rows(""))
		}
		b.imported("discounts", file).want("done 0 2 3", rejected...)
		found := b.secret(200, "GET", "/api/discounts?sort=code", "").raw
		for _, part := range []string{`"code":"SPRING"`, `"value":10`, `"usageLimit":100`, `"minAmount":50`, `"discountType":"fixed_amount"`} {
			if !strings.Contains(found, part) {
				t.Errorf("%s is missing: %s", part, found)
			}
		}
	})
}

// Rule transfers-9.
func TestImportReadsWhatSpreadsheetsWrite(t *testing.T) {
	t.Parallel()
	b := newSQLiteHarness(t)
	b.variant("tea", "T-1", 5)
	old, err := korean.EUCKR.NewEncoder().String(rowsOf("이메일,이름", "kim@example.com,김민지"))
	if err != nil {
		t.Fatal(err)
	}
	b.imported("customers", old).want("done 1 0 0")
	if a := b.secret(200, "GET", "/api/customers?where[name][equals]=김민지", ""); len(a.docs()) != 1 {
		t.Errorf("%s", a.raw)
	}
	b.imported("stock", rowsOf("sku;onHand", `T-1;"1,200"`)).want("done 1 0 0")
	b.imported("stock", "\ufeffsku,onHand\r\n\r\nT-1,\"1,200\"\r\n").want("done 0 1 0")
	b.imported("stock", rowsOf("sku,onHand", `T-1,"7`)).want("done 0 0 1", "2 rejected <nil>:row_unreadable")
	if i := b.imported("stock", rowsOf("sku,onHand")); i.counts() != "done 0 0 0" {
		t.Errorf("a file without rows: %s", i.counts())
	}
}

// Rule transfers-11.
func TestImportOfCountsBelowWhatIsReservedIsRejected(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		tea := b.variant("tea", "T-1", 5)
		shop := b.shop.Tenant.ID
		err := b.store.Atomically(context.Background(), ports.ForTenant(shop), func(ctx context.Context, tx ports.Tx) error {
			return tx.Stock.Reserve(ctx, shop, tenant.Live, "s", []ports.Demand{{Variant: tea, Quantity: 3}}, time.UnixMilli(b.clock.Load()).Add(time.Hour))
		})
		if err != nil {
			t.Fatal(err)
		}
		b.imported("stock", rowsOf("sku,onHand", "T-1,2")).want("done 0 0 1", "2 rejected onHand:out_of_stock")
		b.imported("stock", rowsOf("sku,onHand", "T-1,3")).want("done 1 0 0")
	})
}

// Rule transfers-8.
func TestImportFailsForWhoLostTheirRights(t *testing.T) {
	t.Parallel()
	b := newSQLiteHarness(t)
	bearer, _ := b.login()
	made := b.request("POST", "/api/api-keys", `{"name":"Importer","kind":"secret","environment":"live"}`, "Authorization", bearer)
	key, _ := made.body["key"].(string)
	kind, file := form(t, entry{"file", "rows.csv", rowsOf("email", "ann@example.com")}, entry{"kind", "", "customers"})
	begun := b.request("POST", "/api/imports", file, "X-API-Key", key, "Content-Type", kind)
	if begun.status != 201 {
		t.Fatalf("%s %s", made.raw, begun.raw)
	}
	if a := b.request("POST", "/api/api-keys/"+fmt.Sprint(made.doc()["id"])+"/revoke", "", "Authorization", bearer); a.status != 200 {
		t.Fatal(a.raw)
	}
	b.runJobs()
	i := b.importNow(begun.body["import"].(map[string]any)["id"].(string))
	if i.counts() != "failed 0 0 0" || i.job["problem"] == nil {
		t.Errorf("%v", i.job)
	}
	if all := b.secret(200, "GET", "/api/customers", "").docs(); len(all) != 0 {
		t.Errorf("%v", all)
	}
}
