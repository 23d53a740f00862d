//go:build windows && (amd64 || arm64) && !nonvml

// This file finds and opens the library on Windows.

package nvml

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/windows"
)

const system = "nvml.dll"

// searchPath is where drivers put the library: System32, and under Program Files before 2019.
func searchPath() []string {
	paths := []string{system}
	if programs := os.Getenv("ProgramW6432"); filepath.IsAbs(programs) {
		paths = append(paths, filepath.Join(programs, "NVIDIA Corporation", "NVSMI", system))
	}
	return paths
}

// open never looks into the working directory or PATH, where anybody may have put a library of that name.
func open(path string) (uintptr, error) {
	flags := uintptr(windows.LOAD_LIBRARY_SEARCH_SYSTEM32)
	if path != system {
		absolute, err := filepath.Abs(path)
		if err != nil {
			return 0, err
		}
		path, flags = absolute, flags|windows.LOAD_LIBRARY_SEARCH_DLL_LOAD_DIR
	}
	handle, err := windows.LoadLibraryEx(path, 0, flags)
	if errors.Is(err, windows.ERROR_MOD_NOT_FOUND) || errors.Is(err, windows.ERROR_FILE_NOT_FOUND) {
		return 0, fmt.Errorf("it is not there: %w", fs.ErrNotExist)
	}
	return uintptr(handle), err
}

func lookup(handle uintptr, name string) uintptr {
	address, err := windows.GetProcAddress(windows.Handle(handle), name)
	if err != nil {
		return 0
	}
	return address
}
