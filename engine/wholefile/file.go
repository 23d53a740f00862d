// This file writes a file in one piece, so that nobody finds half of it.

package wholefile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Writable says why a file can't be written; nil: as far as can be known now, it can. It leaves everything as it is.
func Writable(file string) error {
	p, err := placeOf(file)
	if err != nil || !p.regular {
		return err
	}
	f, err := p.beside()
	if err != nil {
		if p.there {
			return nil // in place, then
		}
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// place is where a file is to be.
type place struct {
	path    string // without links
	regular bool   // false: a pipe or a device, which just takes what comes
	there   bool
	mode    fs.FileMode // of what is there
}

// placeOf looks where a file is to be. Its error says why what is there may not be written.
func placeOf(file string) (place, error) {
	path := file
	if target, err := filepath.EvalSymlinks(file); err == nil {
		path = target
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return place{path: path, regular: true}, nil
	}
	if err != nil {
		return place{}, err
	}
	info, err := f.Stat()
	if err = errors.Join(err, f.Close()); err != nil {
		return place{}, err
	}
	return place{path: path, regular: info.Mode().IsRegular(), there: true, mode: info.Mode().Perm()}, nil
}

// beside makes a file beside it that can take its place, with the rights of what is there or those of any new file.
func (p place) beside() (*os.File, error) {
	const tries = 100 // two may write reports into one folder at once
	folder := filepath.Dir(p.path)
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no folder %s", folder)
	}
	var err error
	for i := range tries {
		name := filepath.Join(folder, fmt.Sprintf(".tokdyno-%d-%d", os.Getpid(), i))
		var f *os.File
		if f, err = os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666); errors.Is(err, fs.ErrExist) {
			continue
		}
		if err == nil && p.there {
			if err = f.Chmod(p.mode); err != nil {
				return nil, errors.Join(err, f.Close(), os.Remove(name))
			}
		}
		if failed := (*fs.PathError)(nil); errors.As(err, &failed) { // whose name says nothing to a person
			err = fmt.Errorf("no file can be made in %s: %w", folder, failed.Err)
		}
		return f, err
	}
	return nil, err
}

// Write writes a file under another name and renames it, so that whoever looks finds all of it or what was there before.
// Where a file lies that only it itself can be written, as one that is mounted alone, it is written in place.
func Write(file string, write func(io.Writer) error) error {
	p, err := placeOf(file)
	if err != nil {
		return err
	}
	if !p.regular {
		return p.inPlace(write)
	}
	f, err := p.beside()
	if err != nil && p.there {
		return p.inPlace(write)
	}
	if err != nil {
		return err
	}
	if err = Buffered(f, write); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	if err = os.Rename(f.Name(), p.path); err == nil {
		return nil
	}
	if p.there {
		err = p.inPlace(func(w io.Writer) error { return copyFrom(f.Name(), w) })
	}
	return errors.Join(err, os.Remove(f.Name()))
}

// inPlace writes into what is there, from its beginning.
func (p place) inPlace(write func(io.Writer) error) error {
	f, err := os.OpenFile(p.path, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return err
	}
	return Buffered(f, write)
}

// Buffered writes into an open file, and closes it.
func Buffered(f *os.File, write func(io.Writer) error) error {
	b := bufio.NewWriter(f)
	err := write(b)
	if err == nil {
		err = b.Flush()
	}
	return errors.Join(err, f.Close())
}

func copyFrom(file string, w io.Writer) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(w, f)
	return err
}
