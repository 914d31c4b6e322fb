package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// sampleEvery is how often processes are sampled, which costs a hundredth of a processor. Processor time
// after the last sample of a process is not counted.
const sampleEvery = 2 * time.Second

// clockTick is the unit of /proc, which is always a hundredth of a second in user space.
const clockTick = time.Second / 100

// process is a process in /proc.
type process struct {
	parent int
	cpu    time.Duration // its own and that of ended children
}

// sampleCPU samples the test binaries that the go commands among the children of this process run, until done
// is closed, and returns the processor time of each with its child processes, by folder of the package. A
// program given with go test -exec could measure exactly, but disables go test's cache. Without /proc the
// result is empty.
func sampleCPU(done <-chan struct{}) map[string]time.Duration {
	taken := map[string]time.Duration{}
	tick := time.NewTicker(sampleEvery)
	defer tick.Stop()
	for {
		all := processes()
		for id, p := range all {
			if all[p.parent].parent != os.Getpid() {
				continue
			}
			path := "/proc/" + strconv.Itoa(id)
			program, err := os.Readlink(path + "/exe")
			if err != nil || !strings.HasSuffix(program, ".test") {
				continue // a compiler, or ended
			}
			if dir, err := os.Readlink(path + "/cwd"); err == nil {
				taken[dir] = max(taken[dir], withDescendants(all, id))
			}
		}
		select {
		case <-tick.C:
		case <-done:
			return taken
		}
	}
}

// withDescendants is the processor time of a process and all its living descendants.
func withDescendants(all map[int]process, id int) time.Duration {
	sum := all[id].cpu
	for child, p := range all {
		if p.parent == id {
			sum += withDescendants(all, child)
		}
	}
	return sum
}

// Indexes of fields in /proc/…/stat after the name of the program, which may contain spaces.
const (
	statParent  = 1
	statUser    = 11
	statSysKids = 14
)

func processes() map[int]process {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is valid
	all := make(map[int]process, len(stats))
	for _, file := range stats {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended
		}
		fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
		id, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if err != nil || len(fields) <= statSysKids {
			continue
		}
		p := process{}
		p.parent, _ = strconv.Atoi(fields[statParent]) // the kernel writes numbers, here and below
		for _, field := range fields[statUser : statSysKids+1] {
			ticks, _ := strconv.Atoi(field)
			p.cpu += time.Duration(ticks) * clockTick
		}
		all[id] = p
	}
	return all
}

// idleTime is how long all processors together have been idle since the machine started; 0 without /proc.
func idleTime() time.Duration {
	text, _ := os.ReadFile("/proc/stat") // without it there is nothing to report
	first, _, _ := strings.Cut(string(text), "\n")
	fields := strings.Fields(first)
	const idle = 4 // behind "cpu" and the ticks of user, nice and system
	if len(fields) <= idle {
		return 0
	}
	ticks, _ := strconv.Atoi(fields[idle]) // the kernel writes numbers
	return time.Duration(ticks) * clockTick
}
