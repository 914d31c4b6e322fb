package exports_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/domain/job"
	"github.com/cartwright-dev/cartwright/domain/transfer"
	"github.com/cartwright-dev/cartwright/ports"
)

// Another instance takes over an export whose process died in the middle, and the file has every row once.
func TestInterruptedExportBeginsAgain(t *testing.T) {
	onBoth(t, func(t *testing.T, b *bed) {
		const orders = 250
		b.sell(orders)
		id := b.ask(nil)
		stands, wakes, ended := make(chan struct{}), make(chan struct{}), make(chan error, 1)
		var stood atomic.Bool
		b.reads.between = func() {
			if stood.CompareAndSwap(false, true) {
				close(stands)
				<-wakes
			}
		}
		first := b.runner()
		go func() {
			_, err := first.RunNext(t.Context())
			ended <- err
		}()
		<-stands
		b.pass(job.Lease)
		b.run()
		rows, file := b.table(id), shops.NewView(t, b.store, b.shop.ID).Get(transfer.Exports, id).Text("blob")
		close(wakes)
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if len(rows) != 1+2*orders {
			t.Errorf("the file has %d rows", len(rows))
		}
		if now := shops.NewView(t, b.store, b.shop.ID).Get(transfer.Exports, id).Text("blob"); now != file || b.job(id).Status != job.Done {
			t.Errorf("the file was replaced")
		}
		gone, err := b.store.BlobSweep().ClaimExpired(t.Context(), b.now(), b.now().Add(time.Minute), 10)
		if err != nil || len(gone) != 1 || gone[0].Key == file {
			t.Errorf("to be deleted is %v, %v, want the bytes of the first runner", gone, err)
		}
	})
}

func TestCanceledExportHasNoFile(t *testing.T) {
	onBoth(t, func(t *testing.T, b *bed) {
		b.sell(250)
		waiting := b.ask(nil)
		if _, err := b.Cancel(t.Context(), b.as(b.editor()), waiting); err != nil {
			t.Fatal(err)
		}
		b.refused(waiting, transfer.ErrNoFile)
		running := b.ask(nil)
		var once sync.Once
		b.reads.between = func() {
			once.Do(func() {
				if _, err := b.Cancel(t.Context(), b.as(b.editor()), running); err != nil {
					t.Error(err)
				}
			})
		}
		b.run()
		if j := b.job(running); j.Status != job.Canceled || j.Handled > 100 {
			t.Errorf("it is %+v", j)
		}
		b.refused(running, transfer.ErrNoFile)
		if _, err := b.Cancel(t.Context(), b.as(b.editor()), running); err != nil {
			t.Errorf("canceled again: %v", err)
		}
		b.reads.between = nil
		done := b.ask(nil)
		b.run()
		if _, err := b.Cancel(t.Context(), b.as(b.editor()), done); !errors.Is(err, job.ErrEnded) {
			t.Errorf("canceled after its end: %v", err)
		}
	})
}

func TestWaitingExportsOfAShopAreLimited(t *testing.T) {
	onBoth(t, func(t *testing.T, b *bed) {
		var last string
		for range job.MaxOpen {
			last = b.ask(nil)
		}
		start := func() error {
			_, err := b.Start(t.Context(), b.as(b.editor()), transfer.Request{Kind: "orders", Format: "csv", Locale: transfer.English})
			return err
		}
		if err := start(); !errors.Is(err, job.ErrTooMany) {
			t.Errorf("one more: %v", err)
		}
		if _, err := b.Cancel(t.Context(), b.as(b.editor()), last); err != nil {
			t.Fatal(err)
		}
		if err := start(); err != nil {
			t.Errorf("after one was canceled: %v", err)
		}
	})
}

// Those who ask at the same moment count one after the other.
func TestExportsThatAreAskedForAtOnceAreLimited(t *testing.T) {
	onBoth(t, func(t *testing.T, b *bed) {
		var started, refused atomic.Int64
		shops.Concurrently(4*job.MaxOpen, func(int) {
			_, err := b.Start(t.Context(), b.as(b.editor()), transfer.Request{Kind: "orders", Format: "csv", Locale: transfer.English})
			switch {
			case err == nil:
				started.Add(1)
			case errors.Is(err, job.ErrTooMany):
				refused.Add(1)
			default:
				t.Error(err)
			}
		})
		if started.Load() != job.MaxOpen || refused.Load() != 3*job.MaxOpen {
			t.Errorf("%d were started, and %d refused", started.Load(), refused.Load())
		}
	})
}

func TestExpiredExportIsGone(t *testing.T) {
	onBoth(t, func(t *testing.T, b *bed) {
		id := b.ask(nil)
		b.run()
		b.pass(job.KeepFor)
		b.refused(id, ports.ErrNotFound)
		if _, err := b.runner().Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		b.refused(id, ports.ErrNotFound)
	})
}
