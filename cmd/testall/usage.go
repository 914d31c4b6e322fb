package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// sampleEvery is how often processes are looked at. What a test takes after the last look at it is not counted.
const sampleEvery = 400 * time.Millisecond

// clockTick is the unit of /proc: user space always sees a hundred a second.
const clockTick = time.Second / 100

// process is what /proc tells of one.
type process struct {
	parent int
	cpu    time.Duration // its own, and that of the children it waited for
}

// sampleCPU looks at the test binaries that the go test of this id runs until done is closed, and answers the processor time
// that each took with all that it started, by folder of the package. A program given with go test -exec could measure to the
// end, but then go test caches nothing. Without /proc it answers nothing.
func sampleCPU(goTest int, done <-chan struct{}) map[string]time.Duration {
	taken := map[string]time.Duration{}
	tick := time.NewTicker(sampleEvery)
	defer tick.Stop()
	for {
		all := processes()
		for id, p := range all {
			if p.parent != goTest {
				continue
			}
			path := "/proc/" + strconv.Itoa(id)
			program, err := os.Readlink(path + "/exe")
			if err != nil || !strings.HasSuffix(program, ".test") {
				continue // a compiler, or gone
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

// withDescendants is the time of a process and of all that live below it.
func withDescendants(all map[int]process, id int) time.Duration {
	sum := all[id].cpu
	for child, p := range all {
		if p.parent == id {
			sum += withDescendants(all, child)
		}
	}
	return sum
}

// The fields of /proc/…/stat behind the name of the program, which may hold blanks.
const (
	statParent  = 1
	statUser    = 11
	statSysKids = 14
)

func processes() map[int]process {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is right
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
