package rest_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/hex"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"modernc.org/sqlite"

	"github.com/cartwright-dev/cartwright/app/personaldata"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// needle is a word that stands only in what is personal.
const needle = "Quendolyn"

// personalSample is r with words of a person in every field of text that does not stay.
func personalSample(at string, fields []collection.Field, r collection.Record, word string) collection.Record {
	r = r.Clone()
	for _, f := range fields {
		path := at + "." + f.Name
		switch {
		case f.Kind == collection.Group:
			r[f.Name] = personalSample(path, f.Fields, r.Group(f.Name), word)
		case f.Kind == collection.Array:
			var rows []collection.Record
			for _, row := range r.Rows(f.Name) {
				rows = append(rows, personalSample(path, f.Fields, row, word))
			}
			r[f.Name] = rows
		case !ownText(&f) || stays(path):
		case f.Kind == collection.Email:
			r[f.Name] = strings.ToLower(word) + "@people.example"
		case f.Kind == collection.JSON:
			r[f.Name] = map[string]any{"note": "\"" + word + "\"\n"}
		case f.Kind == collection.Texts:
			r[f.Name] = []string{word}
		default:
			r[f.Name] = word
		}
	}
	return r
}

// over are the values by which a seeded record is not under way.
var over = map[string]collection.Record{
	"orders": {"status": "delivered"}, "checkouts": {"status": "completed"}, "return-requests": {"status": "rejected", "refundStatus": nil},
	"transactions": {"status": "paid"}, "disputes": {"status": "won"}, "payment-sessions": {"unsettledCart": nil},
}

// holdPerson makes the seeded records of a shop ones about its seeded customer, who is full of personal words.
func (b *harness) holdPerson(t tenant.ID, there seeded, word string) {
	b.t.Helper()
	b.heldAbout(t, there)
	order := there["orders"].ID()
	for _, s := range erasedSchemas() {
		for n := range 2 { // what is there before and after a change
			b.change(t, s, there[s.Slug].ID(), func(r collection.Record) {
				maps.Copy(r, over[s.Slug])
				switch s.Slug {
				case "stock-movements":
					r["order"] = order
				case "webhook-deliveries", "mail-deliveries":
					r["record"] = order
				}
				maps.Copy(r, personalSample(s.Slug, s.Fields, r, word+strconv.Itoa(n)))
				r["updatedAt"] = nil
			})
		}
	}
}

// change writes a record as fn leaves it.
func (b *harness) change(t tenant.ID, s *collection.Schema, id string, fn func(r collection.Record)) {
	b.t.Helper()
	err := b.store.Atomically(b.t.Context(), ports.ForTenant(t), func(ctx context.Context, tx ports.Tx) error {
		now, err := tx.Records.Lock(ctx, s, id)
		if err != nil {
			return err
		}
		next := now.Clone()
		fn(next)
		return tx.Records.Write(ctx, collection.NewChange(s, now, next, newID(), b.content.Now()))
	})
	if err != nil {
		b.t.Fatalf("%s: %v", s.Slug, err)
	}
}

// rowsWith are all rows of the database with one of words, by table. Every column is read as text.
func (b *harness) rowsWith(words ...string) map[string][]string {
	b.t.Helper()
	db, err := b.database()
	if err != nil {
		b.t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	tables, list := "SELECT name FROM sqlite_master WHERE type = 'table'", "SELECT * FROM "
	if _, isSQLite := db.Driver().(*sqlite.Driver); !isSQLite {
		tables = "SELECT quote_ident(table_schema) || '.' || quote_ident(table_name) FROM information_schema.tables " +
			"WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')"
		list = "SELECT to_jsonb(x)::text FROM "
	}
	for _, word := range words { // as Postgres writes bytes
		words = append(words, hex.EncodeToString([]byte(word)), hex.EncodeToString([]byte(strings.ToLower(word))))
	}
	found := map[string][]string{}
	for _, table := range queryTexts(b.t, db, tables) {
		for _, row := range queryTexts(b.t, db, list+table+" x") {
			has := func(word string) bool { return strings.Contains(strings.ToLower(row), strings.ToLower(word)) }
			if slices.ContainsFunc(words, has) {
				found[table] = append(found[table], row)
			}
		}
	}
	return found
}

// queryTexts are the rows of a query as text, the columns with blanks between. Bytes of Postgres are hexadecimal.
func queryTexts(t testing.TB, db *sql.DB, query string) (all []string) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatal(query, err)
	}
	defer func() { _ = rows.Close() }()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		cells, dest := make([]sql.RawBytes, len(columns)), make([]any, len(columns))
		for i := range cells {
			dest[i] = &cells[i]
		}
		if err := rows.Scan(dest...); err != nil {
			t.Fatal(err)
		}
		texts := make([]string, len(cells))
		for i, cell := range cells {
			texts[i] = string(cell)
		}
		all = append(all, strings.Join(texts, " "))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// eraser goes on with the erasures of a harness.
func (b *harness) eraser() *personaldata.Eraser {
	return &personaldata.Eraser{Store: b.store, Find: b.store.ErasureFinder(), Now: b.content.Now, NewID: newID, Fold: fold}
}

// erased begins the erasure of a customer and goes on until it is done.
func (b *harness) erased(admin func(method, path, body string, headers ...string) answer, id string) {
	b.t.Helper()
	a := admin("POST", "/customers/"+id+"/erase", `{"reason":"asked for it"}`)
	if a.status != 200 {
		b.t.Fatalf("%d %s", a.status, a.raw)
	}
	b.goOnErasing()
}

// goOnErasing lets the erasures that began end.
func (b *harness) goOnErasing() {
	b.t.Helper()
	e := b.eraser()
	for range 4 {
		if _, err := e.Run(b.t.Context()); err != nil {
			b.t.Fatal(err)
		}
		b.clock.Add((2 * time.Minute).Milliseconds())
	}
}

// Rule access-60.
func TestErasedPersonIsInNoTable(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		here, there := b.seed(b.shop.Tenant, "plain", nil), b.seed(b.other.Tenant, "plain", nil)
		b.holdPerson(b.shop.Tenant.ID, here, needle)
		b.holdPerson(b.other.Tenant.ID, there, "Foreignia")
		id, admin := here["customers"].ID(), b.adminOf(b.shop)
		for i, path := range []string{"/orders/" + here["orders"].ID(), "/return-requests/" + here["return-requests"].ID()} {
			key := fmt.Sprintf("ik_receipt0123456789%d", i)
			if a := admin("PATCH", path, `{"notes":"`+needle+`"}`, "Idempotency-Key", key); a.status != 200 {
				t.Fatal(a.raw)
			}
		}
		before := b.rowsWith(needle)
		for _, table := range []string{"customers", "orders", "events", "webhook_deliveries", "stock_movements", "receipts"} {
			if !strings.Contains(fmt.Sprint(slices.Collect(maps.Keys(before))), table) {
				t.Fatalf("nothing personal is in %s, where the test should find some", table)
			}
		}
		theirs := b.rowsWith("Foreignia")
		b.erased(admin, id)
		for table, rows := range b.rowsWith(needle) {
			t.Errorf("%s: %.3000s", table, rows)
		}
		if !reflect.DeepEqual(b.rowsWith("Foreignia"), theirs) {
			t.Error("what another shop has was changed")
		}
		a := admin("GET", "/customers/"+id, "")
		if a.body["email"] != "erased-"+id+"@erased.invalid" || a.body["erasedAt"] == nil || a.body["erasingSince"] != nil || a.body["name"] != nil {
			t.Errorf("the customer: %s", a.raw)
		}
		if told := admin("GET", "/orders/"+here["orders"].ID()+"/timeline", ""); told.status != 200 || len(told.docs()) < 3 {
			t.Errorf("the timeline of the order: %d %s", told.status, told.raw)
		}
		if found := exported(t, admin("GET", "/customers/"+id+"/export", "")); len(found) != len(personaldata.Holdings)+1 {
			t.Errorf("the records are gone: %v", found)
		}
	})
}

// Nothing but what is personal changes, and a second erasure changes nothing.
func TestErasureLeavesMoney(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		here := b.seed(b.shop.Tenant, "plain", nil)
		b.holdPerson(b.shop.Tenant.ID, here, needle)
		read := func() (all []collection.Record) {
			for _, s := range erasedSchemas() {
				r, err := b.store.Read(ports.ForTenant(b.shop.Tenant.ID)).Get(t.Context(), s, here[s.Slug].ID())
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, r)
			}
			return all
		}
		before, admin := read(), b.adminOf(b.shop)
		b.erased(admin, here["customers"].ID())
		after := read()
		for i, s := range erasedSchemas()[1:] {
			want, changed := s.Redact(before[i+1])
			want = want.Clone()
			got := after[i+1]
			want["updatedAt"] = got["updatedAt"]
			if text := collection.AppendStored(nil, s, want); !bytes.Equal(text, collection.AppendStored(nil, s, got)) {
				t.Errorf("%s:\n%s\nwant\n%s", s.Slug, collection.AppendStored(nil, s, got), text)
			}
			if changed && got.Sequence() != before[i+1].Sequence()+1 {
				t.Errorf("%s was changed %d times", s.Slug, got.Sequence()-before[i+1].Sequence())
			}
		}
		b.erased(admin, here["customers"].ID())
		for i, again := range read() {
			if again.Sequence() != after[i].Sequence() {
				t.Errorf("the second erasure changed %s", erasedSchemas()[i].Slug)
			}
		}
	})
}
