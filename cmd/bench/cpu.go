package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// tick is the unit of the times in /proc, the same on every Linux.
const tick = 10 * time.Millisecond

// processCPU is the processor time used so far by a process and its children, including ended ones. Processor
// time per operation is less affected by other load than wall time.
func processCPU(pid int) (total time.Duration) {
	files, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is valid
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // the process ended meanwhile
		}
		_, rest, _ := strings.Cut(string(text), ") ") // state, parent, …, and four times from the twelfth on
		fields := strings.Fields(rest)
		self := filepath.Base(filepath.Dir(file)) == strconv.Itoa(pid)
		if len(fields) < 15 || !self && fields[1] != strconv.Itoa(pid) {
			continue
		}
		times := fields[11:13]
		if self {
			times = fields[11:15] // including ended children
		}
		for _, t := range times {
			n, _ := strconv.ParseInt(t, 10, 64) // the kernel wrote it
			total += time.Duration(n) * tick
		}
	}
	return total
}

// cpuMeter counts the processor time of named processes during a measurement.
type cpuMeter struct {
	of    []process
	begun []time.Duration
}

// process is a process whose processor time counts.
type process struct {
	name  string
	pid   func() int
	apart bool // it is shown, and not in the sum
}

// processes are the processes of s.
func (s *testbed) processes() []process {
	all := []process{{name: "server", pid: s.server.PID}}
	if s.postgres != nil {
		all = append(all, process{name: "Postgres", pid: s.postgres.PID}, process{name: "Redis", pid: s.redis.PID})
	}
	return append(all, process{name: "and the provider", pid: s.bank.PID, apart: true})
}

func (m *cpuMeter) begin() {
	m.begun = m.begun[:0]
	for _, p := range m.of {
		m.begun = append(m.begun, processCPU(p.pid()))
	}
}

// end records in r the processor time of each process per operation.
func (m *cpuMeter) end(r *result) {
	var parts []string
	for i, p := range m.of {
		if used := processCPU(p.pid()) - m.begun[i]; used > 0 && r.count > 0 {
			each := used / time.Duration(r.count)
			if !p.apart {
				r.each += each
			}
			parts = append(parts, fmt.Sprintf("%s %d", p.name, each.Microseconds()))
		}
	}
	r.cpu = "CPU µs each: " + strings.Join(parts, ", ")
}
