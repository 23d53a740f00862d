// Systems without limits of that kind.

//go:build !unix

package wire

func raiseFileLimit() (uint64, error) { return 0, nil }

func fileLimit() (soft uint64, open int) { return 0, 0 }

func localPorts() int { return 0 }
