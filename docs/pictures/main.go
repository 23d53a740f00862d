// This file opens the program, types, and looks whether the pictures are there.

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"tokdyno/ui/picture"

	"github.com/charmbracelet/x/ansi"
	"github.com/creack/pty"
)

const (
	gap       = 300 * time.Millisecond // between keys: those that come together are taken for a paste
	mostBytes = 150_000                // of a picture
	folder    = "docs/pictures"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "pictures: "+err.Error())
		os.Exit(1)
	}
}

func run(names []string) error {
	to, err := filepath.Abs(folder)
	if err != nil {
		return err
	}
	own, err := os.MkdirTemp("", "pictures")
	if err != nil {
		return err
	}
	defer os.RemoveAll(own)
	program := filepath.Join(own, "tokdyno")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		return fmt.Errorf("tokdyno does not build: %w\n%s", err, out)
	}
	for _, s := range scripts() {
		if !s.makes(names) {
			continue
		}
		if err := s.play(program, own, to); err != nil {
			return fmt.Errorf("tokdyno %v: %w", s.args, err)
		}
	}
	return nil
}

// play runs the program on a terminal and types; runs are kept in a folder of their own.
func (s *script) play(program, own, to string) error {
	if s.beside != nil {
		beside := exec.Command(program, s.beside...)
		if err := beside.Start(); err != nil {
			return err
		}
		defer func() { _ = beside.Process.Kill(); _ = beside.Wait() }()
		time.Sleep(time.Second)
	}
	command := exec.Command(program, s.args...)
	// TERM=screen keeps the colour library from asking the terminal for its background, which nobody answers here.
	command.Env = append(os.Environ(), "TERM=screen-256color", "LC_ALL=C.UTF-8", "NO_COLOR=", "XDG_STATE_HOME="+filepath.Join(own, "state"))
	if s.cast != "" {
		command.Env = append(command.Env, "SSH_CONNECTION=cast") // four frames a second are enough
	}
	terminal, err := pty.StartWithSize(command, &pty.Winsize{Cols: uint16(s.w), Rows: uint16(s.h)})
	if err != nil {
		return err
	}
	defer terminal.Close()
	var recorded bytes.Buffer
	tape := newCast(&recorded, s.w, s.h)
	drained := make(chan struct{})
	go func() {
		defer close(drained)
		_, _ = io.Copy(tape, terminal) // to the end of the program, which Linux calls an error
	}()
	if s.first != "" {
		if err := s.look(terminal, tape, filepath.Join(to, s.first+".svg")); err != nil {
			return err
		}
	}
	for _, step := range s.steps {
		if err := step.take(terminal, to); err != nil {
			_ = command.Process.Kill()
			return errors.Join(err, command.Wait())
		}
	}
	if err := tape.end(); err != nil {
		return err
	}
	if _, err := terminal.WriteString("\x03"); err != nil { // ctrl+c
		return err
	}
	_ = command.Wait() // its status is a verdict
	<-drained
	if s.cast == "" {
		return nil
	}
	return os.WriteFile(filepath.Join(to, s.cast+".cast"), recorded.Bytes(), 0o644)
}

// look keeps a picture of the screen as it is drawn anew when the terminal takes its size: lines, with colours in between.
func (s *script) look(terminal *os.File, tape *cast, file string) error {
	size := pty.Winsize{Cols: uint16(s.w), Rows: uint16(s.h)}
	for _, smaller := range []uint16{1, 0} {
		time.Sleep(3 * time.Second)
		tape.latest()
		if err := pty.Setsize(terminal, &pty.Winsize{Cols: size.Cols - smaller, Rows: size.Rows}); err != nil {
			return err
		}
	}
	time.Sleep(time.Second)
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	return errors.Join(picture.WriteSVG(out, picture.New(onlyColours(tape.latest()), s.w, s.h)), out.Close())
}

// onlyColours leaves lines, and of what controls a terminal what colours it.
func onlyColours(output string) string {
	var out strings.Builder
	state, parser := byte(0), ansi.NewParser()
	for len(output) > 0 {
		sequence, width, n, next := ansi.DecodeSequence(output, state, parser)
		if width > 0 || sequence == "\n" || strings.HasSuffix(sequence, "m") {
			out.WriteString(sequence)
		}
		state, output = next, output[n:]
	}
	return out.String()
}

// take waits, types and keeps a picture.
func (s *step) take(terminal io.StringWriter, to string) error {
	time.Sleep(s.wait)
	if _, err := terminal.WriteString(s.keys); err != nil {
		return err
	}
	line, file := s.command, filepath.Join(to, s.snap+".svg")
	if s.snap != "" {
		line = "snap " + file
		if err := os.Remove(file); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	if line == "" {
		return nil
	}
	for _, keys := range []string{":", line, "\r"} {
		time.Sleep(gap)
		if _, err := terminal.WriteString(keys); err != nil {
			return err
		}
	}
	time.Sleep(time.Second)
	if s.snap == "" {
		return nil
	}
	info, err := os.Stat(file)
	if err == nil && info.Size() > mostBytes {
		err = fmt.Errorf("%s has %d bytes, more than %d", file, info.Size(), mostBytes)
	}
	return err
}
