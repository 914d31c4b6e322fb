package tracing

import (
	"fmt"
	"strconv"

	sdk "go.opentelemetry.io/otel/sdk/trace"
)

// Sampler decides which requests are traced. The zero value traces all that callers do not decide about.
type Sampler struct {
	Name  string // a value of OTEL_TRACES_SAMPLER: "always_on", "parentbased_traceidratio" …; "" is parentbased_always_on
	Ratio string // a value of OTEL_TRACES_SAMPLER_ARG: 0 to 1, for the samplers by ratio; "" is 1
}

// Samplers are the valid names of a Sampler.
var Samplers = []string{
	"always_on", "always_off", "traceidratio", "parentbased_always_on", "parentbased_always_off", "parentbased_traceidratio",
}

// Check errors on an invalid ratio.
func (s Sampler) Check() error {
	if s.Ratio == "" {
		return nil
	}
	if r, err := strconv.ParseFloat(s.Ratio, 64); err != nil || !(r >= 0 && r <= 1) {
		return fmt.Errorf("%q is not a number from 0 to 1", s.Ratio)
	}
	return nil
}

func (s Sampler) ratio() float64 {
	r, err := strconv.ParseFloat(s.Ratio, 64)
	if err != nil {
		return 1
	}
	return r
}

func (s Sampler) sampler() sdk.Sampler {
	switch s.Name {
	case "always_on":
		return sdk.AlwaysSample()
	case "always_off":
		return sdk.NeverSample()
	case "traceidratio":
		return sdk.TraceIDRatioBased(s.ratio())
	case "parentbased_always_off":
		return sdk.ParentBased(sdk.NeverSample())
	case "parentbased_traceidratio":
		return sdk.ParentBased(sdk.TraceIDRatioBased(s.ratio()))
	}
	return sdk.ParentBased(sdk.AlwaysSample())
}
