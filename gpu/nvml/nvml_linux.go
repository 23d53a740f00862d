//go:build linux && (amd64 || arm64) && !nonvml

// This file finds and opens the library on Linux.

package nvml

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/ebitengine/purego"
)

// searchPath is where drivers put the library: where the loader looks, and for WSL, NixOS and containers elsewhere.
func searchPath() []string {
	const name = "libnvidia-ml.so.1"
	return []string{
		name,
		"/usr/lib/wsl/lib/" + name,
		"/run/opengl-driver/lib/" + name,
		"/usr/local/nvidia/lib64/" + name,
	}
}

func open(path string) (uintptr, error) {
	handle, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err == nil {
		return handle, nil
	}
	if missing(path, err) {
		return 0, fmt.Errorf("it is not there: %w", fs.ErrNotExist)
	}
	return 0, errors.New(strings.TrimPrefix(err.Error(), path+": "))
}

// missing tells whether the library itself is not there, and not one that it needs. A name without a directory is looked
// for by the loader, which says in words only that it found none.
func missing(path string, err error) bool {
	if strings.ContainsRune(path, '/') {
		_, err := os.Stat(path)
		return errors.Is(err, fs.ErrNotExist)
	}
	return strings.HasPrefix(err.Error(), path+": cannot open shared object file: No such file")
}

func lookup(handle uintptr, name string) uintptr {
	address, err := purego.Dlsym(handle, name)
	if err != nil {
		return 0
	}
	return address
}
