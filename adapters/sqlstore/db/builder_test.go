package db_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
)

type letter struct {
	bun.BaseModel `bun:"table:letters,alias:r"`

	ID     kind        `bun:"id,pk"`
	Weight int64       `bun:"weight"`
	Seal   []byte      `bun:"seal"`
	SentAt db.NullTime `bun:"sent_at"`
}

type kind string

// recorder is a session that records what it is given.
type recorder struct{ runs [][]db.Stmt }

func (r *recorder) Run(_ context.Context, stmts ...db.Stmt) error {
	r.runs = append(r.runs, stmts)
	return nil
}

func TestStatementsOfModelsHaveOneTextForAllValues(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)
	for name, postgres := range map[string]bool{"postgres": true, "sqlite": false} {
		t.Run(name, func(t *testing.T) {
			b := db.NewBuilder(postgres, &letter{})
			texts := map[string]bool{}
			for _, l := range []letter{
				{ID: "a", Weight: 1, Seal: []byte("x"), SentAt: db.NullTime{Time: at}}, {ID: "it's", Weight: -7, Seal: nil},
			} {
				st, err := b.Stmt(b.Insert(&l).On("CONFLICT (id) DO NOTHING"))
				if err != nil || len(st.Args) != 4 || st.Args[0] != string(l.ID) || st.Args[1] != l.Weight ||
					st.Args[3] != db.TimeOrNull(l.SentAt.Time) {
					t.Errorf("%v, %v", st.Args, err)
				}
				texts[st.SQL] = true
			}
			want := `INSERT INTO "letters" AS "r" ("id", "weight", "seal", "sent_at") VALUES ($1, $2, $3, $4) ON CONFLICT (id) DO NOTHING`
			if len(texts) != 1 || !texts[want] {
				t.Errorf("%v", texts)
			}
		})
	}
}

func TestArgumentsAreBoundInTheOrderOfTheText(t *testing.T) {
	t.Parallel()
	b := db.NewBuilder(true, &letter{})
	heavy := b.Select((*letter)(nil)).Column("id").Where("weight > ?", db.Arg(int64(5)))
	both := db.Expr(func(a *db.Args) string { return "r.seal IN (" + a.Bind("s") + ", " + a.Bind("t") + ")" })
	st, err := b.Stmt(
		b.Update((*letter)(nil)).Set("weight = ?", db.Arg(int64(0))).Where("id IN (?)", heavy).Where("?", both).Where("id <> ?", "z"))
	want := `UPDATE "letters" AS "r" SET weight = $1 WHERE (id IN (SELECT "r"."id" FROM "letters" AS "r" WHERE (weight > $2))) AND (r.seal IN ($3, $4)) AND (id <> $5)`
	if err != nil || st.SQL != want || !slices.Equal(st.Args, []any{int64(0), int64(5), "s", "t", "z"}) {
		t.Errorf("%s %v, %v", st.SQL, st.Args, err)
	}
}

func TestAStatementOfAModelIsOneRun(t *testing.T) {
	t.Parallel()
	b := db.NewBuilder(true, &letter{})
	var on recorder
	if _, err := db.Models[letter](t.Context(), b, &on, b.Select((*letter)(nil)).Where("id = ?", "a")); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Exec(t.Context(), &on, b.Delete((*letter)(nil)).Where("id = ?", "a")); err != nil {
		t.Fatal(err)
	}
	if len(on.runs) != 2 || len(on.runs[0]) != 1 || len(on.runs[1]) != 1 {
		t.Errorf("%v", on.runs)
	}
}
