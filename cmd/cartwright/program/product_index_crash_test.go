package program

import (
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/cartwright-dev/cartwright/app/productindex"
)

// indexedShop is a shop whose product index servers write while they are killed.
type indexedShop struct {
	*testing.T

	db       *sql.DB
	env      []string
	creds    credentials
	products []string // ids; "": deleted
}

func newIndexedShop(t *testing.T, env []string) *indexedShop {
	t.Helper()
	s := &indexedShop{T: t, env: append(env, "CARTWRIGHT_LOG_LEVEL=error"), products: make([]string, 40)}
	variables := map[string]string{}
	for _, one := range env {
		name, value, _ := strings.Cut(one, "=")
		variables[name] = value
	}
	folder := variables["CARTWRIGHT_DATA"]
	driver, source := "pgx", variables["CARTWRIGHT_DATABASE_URL"]
	if source == "" {
		driver, source = "sqlite", "file:"+filepath.Join(folder, "cartwright.db")+"?_pragma=busy_timeout(60000)"
	}
	var err error
	if s.db, err = sql.Open(driver, source); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.db.Close() })
	if s.creds, err = readCredentials(filepath.Join(folder, credentialsFile)); err != nil {
		t.Fatal(err)
	}
	return s
}

// change makes every product another one, but for some that it deletes: with so many words that the index cannot be changed at once.
func (s *indexedShop) change(p serverProcess, n int) {
	s.Helper()
	for i, id := range s.products {
		words := make([]string, 350)
		for j := range words {
			words[j] = fmt.Sprintf("w%dx%dx%d", i, j, n*(j%2))
		}
		body := fmt.Sprintf(`{"name":"Thing%d number %d","price":%d,"status":"published","description":%q`, n, i, 100+n*i, strings.Join(words, " "))
		method, path, want := "PATCH", "/api/products/"+id, 200
		switch {
		case n == 0:
			method, path, want = "POST", "/api/products", 201
			body += fmt.Sprintf(`,"variants":[{"sku":"T-%d"}]`, i)
		case id == "":
			continue
		case i%10 == n:
			method, body = "DELETE", "{"
			s.products[i] = ""
		}
		code, a := requestJSON(s.T, method, p.URL+path, body+"}", "X-API-Key: "+s.creds.SecretKey)
		if code != want {
			s.Fatal(code, a)
		}
		if n == 0 {
			s.products[i], _ = a["doc"].(map[string]any)["id"].(string)
		}
	}
}

// indexPlace is how far the index is.
type indexPlace struct {
	version, sequence, newest int64
	reading, claim            string
}

// place is where the index is; zero before a server has begun to make it.
func (s *indexedShop) place() (at indexPlace) {
	s.Helper()
	err := s.db.QueryRowContext(s.Context(), "SELECT p.version, p.sequence, p.reading, p.claim, c.last FROM product_places p"+
		" JOIN event_counters c ON c.tenant = p.tenant WHERE p.tenant = $1", s.creds.TenantID).Scan(&at.version, &at.sequence, &at.reading, &at.claim, &at.newest)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		s.Fatal(err)
	}
	return at
}

func (p indexPlace) isComplete() bool {
	return p.version == productindex.Version && p.reading == "" && p.sequence >= p.newest
}

func (s *indexedShop) setVersion(version int64) {
	s.Helper()
	if _, err := s.db.ExecContext(s.Context(), "UPDATE product_places SET version = $1 WHERE tenant = $2", version, s.creds.TenantID); err != nil {
		s.Fatal(err)
	}
}

// killWhileWriting kills a server between two transactions of a change of the index, which work begins; reports whether it came in time.
func (s *indexedShop) killWhileWriting(p serverProcess, work func()) (inTime bool) {
	s.Helper()
	work()
	var at indexPlace
	waitUntil(s.T, func() bool {
		at = s.place()
		return at.claim != "" || at.isComplete()
	})
	p.Kill()
	return at.claim != "" && s.place().claim == at.claim
}

// rows are the rows of a table of the index as they have to be, whatever numbers the products have.
func (s *indexedShop) rows() map[string]string {
	s.Helper()
	all, products := map[string]string{}, map[uint32]string{}
	s.query("SELECT product, number, pending FROM product_numbers WHERE tenant = $1", func(scan func(...any) error) error {
		var id string
		var number uint32
		var pending bool
		err := scan(&id, &number, &pending)
		all["product "+id], products[number] = strconv.FormatBool(pending), id
		return err
	})
	s.query("SELECT word, products FROM product_words WHERE tenant = $1", func(scan func(...any) error) error {
		var word, count string
		err := scan(&word, &count)
		all["word "+word] = count
		return err
	})
	s.query("SELECT kind, id, parent, names FROM product_groups WHERE tenant = $1", func(scan func(...any) error) error {
		var kind, id, parent, names string
		err := scan(&kind, &id, &parent, &names)
		all["group "+kind+" "+id] = parent + " " + names
		return err
	})
	having := map[string][]string{}
	s.query("SELECT term, bits FROM product_bits WHERE tenant = $1", func(scan func(...any) error) error {
		var term string
		var packed []byte
		if err := scan(&term, &packed); err != nil {
			return err
		}
		bits := roaring.New()
		err := bits.UnmarshalBinary(packed)
		for _, number := range bits.ToArray() {
			having[term] = append(having[term], products[number])
		}
		return err
	})
	for term, ids := range having {
		slices.Sort(ids)
		all["term "+term] = strings.Join(ids, " ")
	}
	return all
}

func (s *indexedShop) query(text string, row func(scan func(...any) error) error) {
	s.Helper()
	rows, err := s.db.QueryContext(s.Context(), text, s.creds.TenantID)
	if err != nil {
		s.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := row(rows.Scan); err != nil {
			s.Fatal(err)
		}
	}
	if err := rows.Err(); err != nil {
		s.Fatal(err)
	}
}

// Servers are killed in the middle of making a product index, and of taking changes into it; in the end it is what an index is that is
// made anew. Rule search-16.
func TestKilledServersLeaveTheProductIndexRight(t *testing.T) {
	t.Parallel()
	for database, env := range demoVariables {
		t.Run(database, func(t *testing.T) {
			t.Parallel()
			s := newIndexedShop(t, env(t))
			p := startProcess(t, s.env...)
			s.change(p, 0)
			killed := 0
			for n := 1; killed < 4 || n < 4; n++ {
				if n == 20 {
					t.Fatalf("%d servers were killed while they wrote the index", killed)
				}
				waitUntil(t, func() bool { return s.place().version == productindex.Version })
				work := func() { s.setVersion(0) } // the index is made anew
				if n%2 == 0 {
					work = func() { s.changeUnseen(p, n) }
				}
				if s.killWhileWriting(p, work) {
					killed++
				}
				p = startProcess(t, s.env...)
			}
			waitUntil(t, func() bool { return s.place().isComplete() })
			after := s.rows()
			s.setVersion(0)
			waitUntil(t, func() bool { return s.place().isComplete() })
			anew := s.rows()
			for key := range anew {
				if after[key] != anew[key] {
					t.Errorf("%q: %q, anew %q", key, after[key], anew[key])
				}
			}
			for _, key := range slices.Sorted(maps.Keys(after)) {
				if _, there := anew[key]; !there {
					t.Errorf("%q is left: %q", key, after[key])
				}
			}
		})
	}
}

// changeUnseen makes changes while the index seems to be of a later version, which servers leave alone, so that they are all
// taken in at once.
func (s *indexedShop) changeUnseen(p serverProcess, n int) {
	s.Helper()
	const later = 1000
	waitUntil(s.T, func() bool { return s.place().isComplete() })
	newest := s.place().newest
	for _, id := range s.products {
		if id != "" {
			newest++ // at least: each change is an event
		}
	}
	s.setVersion(later)
	s.change(p, n)
	waitUntil(s.T, func() bool { return s.place().newest >= newest })
	s.setVersion(productindex.Version)
}
