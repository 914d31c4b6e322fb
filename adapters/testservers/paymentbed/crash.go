package paymentbed

import "testing"

// crash ends a call the way a killed process would: nothing after the point happens.
type crash struct{ point string }

// NewInstanceFailingAt is an instance that crashes at point; call it in MustCrash.
func (b *Bed) NewInstanceFailingAt(point string) *Instance {
	return b.NewInstance(FailAt(point))
}

// FailAt makes an instance crash at point.
func FailAt(point string) func(*Settings) {
	return func(s *Settings) {
		s.Failpoint = func(at string) {
			if at == point {
				panic(crash{at})
			}
		}
	}
}

// MustCrash runs a call that must crash its instance.
func MustCrash(t *testing.T, call func()) {
	t.Helper()
	defer func() {
		if _, ok := recover().(crash); !ok {
			t.Error("the instance did not reach its point")
		}
	}()
	call()
}

// MayCrash runs a call that may crash its instance.
func MayCrash(call func()) {
	defer func() {
		if v := recover(); v != nil {
			if _, ok := v.(crash); !ok {
				panic(v)
			}
		}
	}()
	call()
}
