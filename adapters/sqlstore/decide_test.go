package sqlstore_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

// errHidden is what the work of these tests makes of whatever keeps it from writing.
var errHidden = errors.New("the maker could not be stored")

// hide makes a maker in a unit of work that hides why it cannot, and counts its runs.
func hide(t *testing.T, s *sqlstore.Store, c *collection.Schema) (runs int, err error) {
	t.Helper()
	after := collection.Record{"id": "m", "tenant": "a", "name": strings.Repeat("x", 20_000)}
	err = s.Atomically(t.Context(), ports.ForTenant("a"), func(ctx context.Context, tx ports.Tx) error {
		runs++
		if tx.Records.Write(ctx, collection.NewChange(c, nil, after, "e-m", start)) != nil {
			return errHidden
		}
		return nil
	})
	return runs, err
}

func TestFullDiskIsAnsweredWhateverTheWorkMadeOfIt(t *testing.T) {
	for name, options := range both {
		t.Run(name, func(t *testing.T) {
			registry := portstest.ScratchRegistry()
			s := open(t, options(t), registry)
			free := fillDisk(t, s, name)
			if runs, err := hide(t, s, registry.Get("makers")); runs != 1 || !errors.Is(err, fault.ErrUnavailable) || errors.Is(err, errHidden) {
				t.Errorf("after %d runs it is answered %v", runs, err)
			}
			free()
		})
	}
}

func TestLostRaceIsRunAgainWhateverTheWorkMadeOfIt(t *testing.T) {
	registry := portstest.ScratchRegistry()
	s := open(t, both["postgres"](t), registry)
	for _, text := range []string{
		"CREATE SEQUENCE makers_made",
		"CREATE FUNCTION lose_once() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN IF nextval('makers_made') = 1 THEN " +
			"RAISE EXCEPTION 'could not serialize access' USING ERRCODE = '40001'; END IF; RETURN NULL; END $$",
		"CREATE TRIGGER lost_race BEFORE INSERT ON makers EXECUTE FUNCTION lose_once()",
	} {
		if err := s.ExecOwner(t.Context(), text); err != nil {
			t.Fatal(err)
		}
	}
	if runs, err := hide(t, s, registry.Get("makers")); runs != 2 || err != nil {
		t.Errorf("after %d runs it is answered %v", runs, err)
	}
}
