// This file proves every fault of the list, and each of its values, by requests over real loopback that differ.

package sim

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// faultProof is a request, and ways of setting a fault that each have to make it end differently.
type faultProof struct {
	variants []string // without the fault's name; "": just the name
	shows    func(answered) string
	body     string // of a chat; "": chatOfFour
	beside   string // faults that are on in any case
	closes   bool   // they close the connection after the answer
}

// answered is how a request ended.
type answered struct {
	text   string          // status, headers that matter, body and end
	at     []time.Duration // when each line of the body came, and its end, since the request was sent
	closed bool            // the server closed the connection after the answer
}

// beat is longer than an answer takes without a pause. Faults that pause do so for one of it, or two.
const beat = 60 * time.Millisecond

func inText(a answered) string { return a.text }

// inTime is how many beats late each line came.
func inTime(a answered) string {
	var b strings.Builder
	for _, at := range a.at {
		fmt.Fprint(&b, int(at/beat), " ")
	}
	return b.String()
}

func inClosing(a answered) string { return fmt.Sprint("closed: ", a.closed) }

// faultProofs has one for each fault.
func faultProofs() map[string]faultProof {
	one, two := beat.String(), (2 * beat).String()
	refusals := []string{"temperature:vllm", "temperature:fastapi"}
	refusals = append(refusals, parameterNames[:]...)
	return map[string]faultProof{
		"disconnect":          {variants: []string{"100%"}, shows: inText},
		"http_429":            {variants: []string{"100%", "100%:7s"}, shows: inText},
		"http_5xx":            {variants: []string{"100%", "100%:500", "100%:500:7s"}, shows: inText},
		"error_mid":           {variants: []string{"100%:1", "100%:2"}, shows: inText},
		"truncate_mid":        {variants: []string{"100%:1", "100%:2"}, shows: inText},
		"stall_first":         {variants: []string{"100%:" + one, "100%:" + two}, shows: inTime},
		"stall_mid":           {variants: []string{"100%:" + one + ":1", "100%:" + two + ":1", "100%:" + one + ":2"}, shows: inTime},
		"role_early":          {variants: []string{""}, shows: inTime, beside: "stall_first=100%:" + one},
		"role_every":          {variants: []string{""}, shows: inText},
		"buffer":              {variants: []string{"2", "4"}, shows: inTime, beside: "stall_mid=100%:" + one + ":3", body: chatOfSix},
		"bursts":              {variants: []string{"2", "4"}, shows: inTime, beside: "stall_mid=100%:" + one + ":4", body: chatOfSix},
		"chunk_tokens":        {variants: []string{"2", "3"}, shows: inText},
		"no_usage":            {variants: []string{""}, shows: inText},
		"no_continuous_usage": {variants: []string{""}, shows: inText, body: meteredChat},
		"zero_usage":          {variants: []string{""}, shows: inText},
		"error_200":           {variants: []string{"code", "base_resp"}, shows: inText},
		"web_page":            {variants: []string{"403", "502"}, shows: inText},
		"usage_form":          {variants: []string{"input", "strings", "below", "uncached"}, shows: inText, body: longChat},
		"refuse":              {variants: refusals, shows: inText, body: everyParameter},
		"least_output":        {variants: []string{"5", "6", "5:renamed", "5:unfinished"}, shows: inText},
		"strict_history":      {variants: []string{""}, shows: inText, body: `{"model":"","messages":[{"role":"user","content":"hi"},{"role":"assistant","content":""},{"role":"user","content":"hi"}]}`},
		"no_stream":           {variants: []string{""}, shows: inText},
		"reasoning":           {variants: []string{"2", "3", "2:reasoning", "2:reasoning_details", "2:hidden"}, shows: inText},
		"tool_calls":          {variants: []string{""}, shows: inText},
		"template":            {variants: []string{"20", "30"}, shows: inText},
		"eos":                 {variants: []string{"1", "2"}, shows: inText},
		"finish":              {variants: []string{"abort", "error"}, shows: inText},
		"slow_close":          {variants: []string{one, two}, shows: inTime},
		"idle_close":          {variants: []string{"1ms"}, shows: inClosing, closes: true},
		"close_after_stream":  {variants: []string{""}, shows: inClosing, closes: true},
		"comments":            {variants: []string{""}, shows: inText},
		"crlf":                {variants: []string{""}, shows: inText},
	}
}

func TestEachFaultMakesARequestDiffer(t *testing.T) {
	proofs := faultProofs()
	if table := faultTable(); len(proofs) != len(table) {
		t.Errorf("%d proofs for %d faults", len(proofs), len(table))
	}
	for _, one := range faultTable() {
		p, known := proofs[one.Name]
		if !known {
			t.Errorf("%s has no proof", one.Name)
			continue
		}
		t.Run(one.Name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, Config{TimeScale: 1e6})
			settings := []string{p.beside}
			for _, value := range p.variants {
				settings = append(settings, strings.TrimSpace(p.beside+" "+strings.TrimSuffix(one.Name+"="+value, "=")))
			}
			faults := make([]Faults, len(settings))
			ended := make([]answered, len(settings))
			shown := make([]string, len(settings))
			why := ""
			// What faults hold back is never early, but on a busy machine anything may be late: the fastest of some tries counts.
			for try := range 6 {
				for i, text := range settings {
					faults[i] = parse(t, text)
					s.SetFaults(faults[i])
					ended[i].take(request(t, s, cmp.Or(p.body, chatOfFour), p.patience(i > 0)), try > 0)
					shown[i] = p.shows(ended[i])
				}
				if why = unproven(one, faults, shown); why == "" && try > 0 {
					return
				}
			}
			t.Errorf("%s; %q show as\n%s", why, settings, strings.Join(shown, "\n"))
		})
	}
}

// patience is how long a connection is watched for its end after the answer; 0: it does not matter.
func (p *faultProof) patience(faulty bool) time.Duration {
	switch {
	case !p.closes:
		return 0
	case faulty:
		return 2 * time.Second
	}
	return beat
}

// take takes in how the request ended, this time or again.
func (a *answered) take(b answered, again bool) {
	if again && len(a.at) == len(b.at) {
		for i := range b.at {
			b.at[i] = min(a.at[i], b.at[i])
		}
	}
	*a = b
}

// unproven says what is not proven of a fault by what its settings show, the first of which is that without it: two that
// show the same, or a value that no two settings differ in alone.
func unproven(one fault, settings []Faults, shown []string) string {
	values := func(f Faults) (all []any) {
		for _, field := range one.fields(&f) {
			all = append(all, reflect.ValueOf(field).Elem().Interface())
		}
		return all
	}
	proven := make([]bool, len(values(Faults{})))
	proven[0] = len(settings) > 1 // it turns the fault on
	for i := range settings {
		for k := range i {
			if shown[i] == shown[k] {
				return fmt.Sprintf("settings %d and %d show the same", k, i)
			}
			var differ []int
			for n, value := range values(settings[i]) {
				if value != values(settings[k])[n] {
					differ = append(differ, n)
				}
			}
			if len(differ) == 1 {
				proven[differ[0]] = true
			}
		}
	}
	if n := slices.Index(proven, false); n >= 0 {
		return fmt.Sprintf("no two settings differ in value %d alone", n+1)
	}
	return ""
}

func TestAFaultThatDoesNothingIsUnproven(t *testing.T) {
	one, _ := findFault("error_mid")
	settings := []Faults{{}, {ErrorMid: Cut{Share: 100, Tokens: 1}}, {ErrorMid: Cut{Share: 100, Tokens: 2}}}
	for _, c := range []struct {
		settings []Faults
		shown    []string
		proven   bool
	}{
		{settings, []string{"whole", "cut 1", "cut 2"}, true},
		{settings, []string{"whole", "whole", "whole"}, false}, // it does nothing
		{settings, []string{"whole", "cut", "cut"}, false},     // its second value does
		{settings[:2], []string{"whole", "cut 1"}, false},      // nobody tried it
		{settings[:1], []string{"whole"}, false},
	} {
		if why := unproven(one, c.settings, c.shown); (why == "") != c.proven {
			t.Errorf("%q: %q", c.shown, why)
		}
	}
}

// request sends a chat on a connection of its own.
func request(t *testing.T, s *Server, body string, patience time.Duration) (a answered) {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.URL(), "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	sent := time.Now()
	fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: sim\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", chatPath, len(body), body)
	from := bufio.NewReader(conn)
	resp, err := http.ReadResponse(from, nil)
	if err != nil {
		return answered{text: "(no answer)"}
	}
	var text strings.Builder
	fmt.Fprintln(&text, resp.StatusCode, resp.Header.Get("Content-Type"), resp.Header.Get("Retry-After"))
	lines := bufio.NewReader(resp.Body)
	for err == nil {
		var line string
		line, err = lines.ReadString('\n')
		text.WriteString(masked(line))
		a.at = append(a.at, time.Since(sent))
	}
	if err != io.EOF {
		fmt.Fprintf(&text, "(%v)", err)
	}
	a.text = text.String()
	if patience == 0 {
		return a
	}
	_ = conn.SetReadDeadline(time.Now().Add(patience))
	_, err = from.ReadByte()
	a.closed = err != nil && !errors.Is(err, os.ErrDeadlineExceeded)
	return a
}
