// This file reads files.

package textfile

import (
	"fmt"
	"io"
	"io/fs"
	"os"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// Mark is the byte order mark of UTF-8, which may stand at a file's beginning and is not of its text.
const Mark = "\xef\xbb\xbf"

// New returns what a person wrote into a file. Bytes without a mark are passed on as they are.
func New(file io.Reader) io.Reader {
	return transform.NewReader(file, unicode.BOMOverride(encoding.Nop.NewDecoder()))
}

// Read returns what a person wrote into the file at a path, which may have so many bytes. The errors are those of package os,
// and one for a larger file.
func Read(path string, most int64) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	return all(file, most)
}

// ReadIn is Read for a file of a file system.
func ReadIn(files fs.FS, name string, most int64) ([]byte, error) {
	file, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	return all(file, most)
}

func all(file io.ReadCloser, most int64) ([]byte, error) {
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(New(file), most+1))
	if err == nil && int64(len(text)) > most {
		err = fmt.Errorf("it is larger than %d KiB", most>>10)
	}
	return text, err
}
