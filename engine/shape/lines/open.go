// This file opens files that people name, and says what is wrong with them.

package lines

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Open opens a file that is to be read many times over, with what the file system says of it. The subject is what the
// errors call the file, such as "data set"; they are sentences that a person can act on: for a file that is missing or
// not readable (they wrap fs.ErrNotExist and fs.ErrPermission), a directory, a pipe, an empty file and a packed one.
func Open(subject, path string) (*os.File, fs.FileInfo, error) {
	info, err := os.Stat(path) // first, because opening a pipe waits for its other end
	if err != nil {
		return nil, nil, cannot("opened", subject, path, err)
	}
	switch {
	case info.IsDir():
		return nil, nil, fmt.Errorf("%s %s is a directory; name a file in it", subject, path)
	case !info.Mode().IsRegular():
		return nil, nil, fmt.Errorf("%s %s is a pipe or a device, which can be read only once; write it to a file first", subject, path)
	case info.Size() == 0:
		return nil, nil, fmt.Errorf("%s %s is empty", subject, path)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, cannot("opened", subject, path, err)
	}
	head := make([]byte, 4)
	n, _ := file.ReadAt(head, 0) // a file that cannot be read says so to whoever reads all of it
	if is := packed(head[:n]); is != "" {
		_ = file.Close()
		return nil, nil, fmt.Errorf("%s %s %s", subject, path, is)
	}
	return file, info, nil
}

// CannotRead is the error for a file that could be opened, but not be read.
func CannotRead(subject, path string, err error) error { return cannot("read", subject, path, err) }

// cannot leaves out the operation and the path that package os puts into its errors.
func cannot(what, subject, path string, err error) error {
	if cause := (*fs.PathError)(nil); errors.As(err, &cause) {
		err = cause.Err
	}
	return fmt.Errorf("%s %s cannot be %s: %w", subject, path, what, err)
}

// packed says what a file is that begins with head, and what to do about it; "" where it may be text.
func packed(head []byte) string {
	for _, kind := range []struct{ magic, is string }{
		{"\x1f\x8b", "is packed with gzip; unpack it first, with gunzip"},
		{"\x28\xb5\x2f\xfd", "is packed with zstd; unpack it first, with unzstd"},
		{"PK\x03\x04", "is a zip archive; unpack it first, with unzip"},
		{"PAR1", "is a Parquet file; write it as JSON lines first"},
		{"\xff\xfe", "is UTF-16 text; save it as UTF-8 first"},
		{"\xfe\xff", "is UTF-16 text; save it as UTF-8 first"},
	} {
		if bytes.HasPrefix(head, []byte(kind.magic)) {
			return kind.is
		}
	}
	return ""
}
