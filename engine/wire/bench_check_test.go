// What the whole of tokdyno check costs as a process, beside processes that do nothing but read the same streams.

package wire

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// benchBareVariable makes the test binary a bare net/http loop: its URL, how many streams, and for how long.
const benchBareVariable = "TOKDYNO_WIRE_BENCH_BARE"

// bareProcess reads answers, so many at a time, for so long, and counts their events.
func bareProcess(order string) error {
	var url, long string
	var n int
	if _, err := fmt.Sscan(order, &url, &n, &long); err != nil {
		return err
	}
	d, err := time.ParseDuration(long)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), d)
	defer cancel()
	c := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: n, DisableCompression: true}}
	var events atomic.Int64
	var running sync.WaitGroup
	for range n {
		running.Go(func() {
			for ctx.Err() == nil {
				if err := bareAnswer(ctx, c, url, &events); err != nil && ctx.Err() == nil {
					fmt.Fprintln(os.Stderr, err)
				}
			}
		})
	}
	running.Wait()
	return nil
}

// pythonLoop does with a chunk what Python's benchmark clients do: json, an instant, a list of gaps. It does so on asyncio's own
// streams, which cost less than aiohttp's.
const pythonLoop = `
import asyncio, json, sys, time
host, path = sys.argv[1].split("/", 3)[2:]
address, port = host.split(":")
n, end, total = int(sys.argv[2]), time.time() + float(sys.argv[3]), 0
async def loop():
    global total
    r, w = await asyncio.open_connection(address, int(port))
    while True:
        w.write(f"POST /{path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: 2\r\n\r\n{{}}".encode())
        while await r.readline() != b"\r\n":
            pass
        gaps, last, text = [], time.perf_counter(), ""
        while size := int(await r.readline(), 16):
            data = (await r.readexactly(size + 2))[:-2]
            for event in data.split(b"\n\n"):
                event = event.decode().removeprefix("data: ")
                if not event or event == "[DONE]":
                    continue
                choices = json.loads(event).get("choices")
                if choices:
                    text += choices[0]["delta"].get("content") or ""
                    now = time.perf_counter()
                    gaps.append(now - last)
                    last = now
                    total += 1
            if time.time() > end:
                return
        await r.readline()
async def all():
    await asyncio.gather(*[loop() for _ in range(n)])
asyncio.run(all())
`

// process is a way to read streams as a process.
type process struct {
	name    string
	command func() *exec.Cmd
	spare   time.Duration // of its processor time: what its language takes to start
	per     []float64     // µs of processor time a chunk, of each turn
}

// turn runs the process, and returns the processor time that it used.
func (p *process) turn(b *testing.B) time.Duration {
	b.Helper()
	command := p.command()
	command.Stderr = os.Stderr
	_ = command.Run() // that a check does not pass is no fault here
	if command.ProcessState == nil {
		b.Fatalf("%s did not start", p.name)
	}
	return command.ProcessState.UserTime() + command.ProcessState.SystemTime()
}

// BenchmarkCheck runs tokdyno check as a process, with its prompts, statistics and report, a bare net/http loop as a process, and
// Python's asyncio where there is one: twenty seconds of all streams each, in turn. Figures are medians, of at least three turns:
// -benchtime 3x.
func BenchmarkCheck(b *testing.B) {
	s := startBenchServer(b)
	folder := b.TempDir()
	binary := filepath.Join(folder, "tokdyno")
	if out, err := exec.Command("go", "build", "-o", binary, "tokdyno").CombinedOutput(); err != nil {
		b.Skipf("%v: %s", err, out)
	}
	self, err := os.Executable()
	if err != nil {
		b.Skip(err)
	}
	for _, bench := range []struct {
		n    int
		pace time.Duration
	}{{64, 20 * time.Millisecond}, {500, 100 * time.Millisecond}} {
		b.Run(fmt.Sprintf("streams=%d/%d-a-second", bench.n, time.Second/bench.pace), func(b *testing.B) {
			url, n := s.url(fmt.Sprintf("chunks=%d&spread=1&pace=%v", 10*time.Second/bench.pace, bench.pace)), strconv.Itoa(bench.n)
			report := filepath.Join(folder, "report.json")
			python := func(n string, seconds string) func() *exec.Cmd {
				return func() *exec.Cmd { return exec.Command("python3", "-c", pythonLoop, url, n, seconds) }
			}
			processes := []*process{{
				command: func() *exec.Cmd {
					return exec.Command(binary, "check", url, "--model", "m", "-c", n, "--for", "20s", "--no-keep", "--json", report)
				},
			}, {
				name: "bare-",
				command: func() *exec.Cmd {
					c := exec.Command(self)
					c.Env = append(os.Environ(), benchBareVariable+"="+url+" "+n+" 20s")
					return c
				},
			}}
			if _, err := exec.LookPath("python3"); err == nil {
				p := &process{name: "python-", command: python("0", "0")}
				p.spare = p.turn(b)
				p.command = python(n, "20")
				processes = append(processes, p)
			}
			b.ResetTimer()
			for range b.N {
				for _, p := range processes {
					_, before := s.used(b)
					spent := p.turn(b) - p.spare
					_, after := s.used(b)
					p.per = append(p.per, float64(spent)/float64(after-before)/1e3)
				}
			}
			for _, p := range processes {
				b.ReportMetric(median(p.per), p.name+"cpu-µs/chunk")
				if p != processes[0] {
					b.ReportMetric(median(processes[0].per)/median(p.per), p.name+"ratio")
				}
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}
