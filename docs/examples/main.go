// This file runs each command that the README shows with its output.

package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tokdyno/engine/sim"
)

const (
	readme = "README.md"
	speed  = 4                // of the simulated server, as the README says
	server = "localhost:8000" // as the README calls it
	cut    = "…"              // stands for lines that are left out
)

func main() {
	check := flag.Bool("check", false, "compare with the README, and leave it as it is")
	flag.Parse()
	if err := run(*check); err != nil {
		fmt.Fprintln(os.Stderr, "examples: "+err.Error())
		os.Exit(1)
	}
}

func run(check bool) error {
	text, err := os.ReadFile(readme)
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "examples")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	program := filepath.Join(folder, "tokdyno")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		return fmt.Errorf("tokdyno does not build: %w\n%s", err, out)
	}
	simulated, err := sim.Start(sim.Config{TimeScale: speed})
	if err != nil {
		return err
	}
	defer simulated.Close()

	examples := find(string(text))
	if len(examples) == 0 {
		return errors.New(readme + " has no example: a block that begins with \"$ tokdyno\"")
	}
	var failed []error
	for _, e := range slices.Backward(examples) { // so that what stands before stays where it is
		got, err := e.run(program, strings.TrimPrefix(simulated.URL(), "http://"))
		if err == nil {
			err = e.compare(got, check)
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("%s\n%w\nit printed:\n%s", e.command, err, got))
			continue
		}
		fmt.Printf("%s\n%s\n", e.command, got)
		text = slices.Concat(text[:e.from], []byte(got), text[e.to:])
	}
	if err := errors.Join(failed...); err != nil || check {
		return err
	}
	return os.WriteFile(readme, text, 0o644)
}

// example is a command in the README, with what it prints.
type example struct {
	command  string
	output   string
	from, to int    // where the output stands
	after    string // the text up to the next example
}

var block = regexp.MustCompile("(?s)```\n\\$ (tokdyno [^\n]*)\n(.*?)```\n")

func find(text string) (all []example) {
	found := block.FindAllStringSubmatchIndex(text, -1)
	for i, at := range found {
		end := len(text)
		if i+1 < len(found) {
			end = found[i+1][0]
		}
		all = append(all, example{
			command: text[at[2]:at[3]], output: text[at[4]:at[5]], from: at[4], to: at[5], after: text[at[1]:end],
		})
	}
	return all
}

// run runs the command on the simulated server, and returns of its output the part that the README shows: the answer, and
// the levels where there are several.
func (e example) run(program, address string) (string, error) {
	line := strings.Replace(strings.Replace(e.command, "tokdyno", program, 1), server, address, 1)
	out, err := exec.Command("sh", "-c", line).Output()
	text := string(bytes.ReplaceAll(out, []byte(address), []byte(server)))
	begin := strings.Index(text, "\nanswer ")
	if begin < 0 {
		return text, errors.Join(errors.New("there is no answer"), err)
	}
	parts := strings.Split(text[begin+1:], "\n\n")
	shown := parts[0]
	if len(parts) > 1 && strings.HasPrefix(parts[1], "level ") {
		shown += "\n\n" + parts[1]
	}
	return cut + "\n" + shown + "\n" + cut + "\n", err
}

// within is where the README says that the answer lies: "from c=12 to c=15".
var (
	within = regexp.MustCompile(`from\s+c=(\d+)\s+to\s+c=(\d+)`)
	answer = regexp.MustCompile(`(?m)^answer +c=(\d+) `)
)

// compare checks that the answer lies where the README says, if it does, and, where that is to stay as it is, that what was
// printed has the README's lines.
func (e example) compare(got string, shape bool) error {
	if said := within.FindStringSubmatch(e.after); said != nil {
		low, _ := strconv.Atoi(said[1])
		high, _ := strconv.Atoi(said[2])
		level := answer.FindStringSubmatch(got)
		if level == nil {
			return errors.New("the answer names no level")
		}
		if n, _ := strconv.Atoi(level[1]); n < low || n > high {
			return fmt.Errorf("the answer is c=%d, and the README says %s", n, said[0])
		}
	}
	if want := labels(e.output); shape && !slices.Equal(labels(got), want) {
		return fmt.Errorf("it has the lines %q, and the README %q", labels(got), want)
	}
	return nil
}

// labels are the first words of the lines that have one, but for those that are there or not as luck has it: of levels, and of
// what lies beyond them.
func labels(text string) (all []string) {
	for line := range strings.SplitSeq(text, "\n") {
		word, _, _ := strings.Cut(line, " ")
		if word != "" && word != "beyond" && word != cut && !strings.HasPrefix(word, "c=") {
			all = append(all, word)
		}
	}
	return all
}
