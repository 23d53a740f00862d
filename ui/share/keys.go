// This file is the host's key, and whose keys are let in.

package share

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/charmbracelet/keygen"
	"golang.org/x/crypto/ssh"

	"tokdyno/engine/textfile"
)

// mostKeys is how large a file of keys may be.
const mostKeys = 1 << 20

// hostKey is the key by which watchers know this machine again: the one in the file, or a new one, which is put there.
func hostKey(file string) (ssh.Signer, error) {
	pair, err := keygen.New(file, keygen.WithKeyType(keygen.Ed25519), keygen.WithWrite())
	if err != nil {
		return nil, fmt.Errorf("the host key %s can't be read or made: %w", file, err)
	}
	return pair.Signer(), nil
}

// guests are the keys that are let in, each with the name that stands behind it in the file.
type guests map[string]string

// readGuests reads a file as ssh's authorized_keys. Options in front of a key, such as from="10.0.0.0/8", would have to be
// kept to, and are an error therefore.
func readGuests(file string) (guests, error) {
	text, err := textfile.Read(file, mostKeys)
	if err != nil {
		return nil, fmt.Errorf("the keys of who may watch can't be read: %w", err)
	}
	in := guests{}
	for i, line := range bytes.Split(text, []byte("\n")) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		key, comment, options, _, err := ssh.ParseAuthorizedKey(line)
		switch {
		case err != nil:
			return nil, fmt.Errorf("%s, line %d is no public key as in ~/.ssh/authorized_keys", file, i+1)
		case len(options) > 0:
			return nil, fmt.Errorf("%s, line %d has options before the key, %s, which are not known here", file, i+1, strings.Join(options, ","))
		}
		in[string(key.Marshal())] = comment
	}
	if len(in) == 0 {
		return nil, fmt.Errorf("%s has no key in it: nobody could watch", file)
	}
	return in, nil
}
