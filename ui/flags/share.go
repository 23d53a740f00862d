// This file holds the flags of who else may watch.

package flags

import (
	"github.com/spf13/pflag"

	"tokdyno/ui/session"
)

// Share are the flags of commands that open a console which others may watch.
type Share struct{ to session.Share }

// Bind adds the flags to a command.
func (s *Share) Bind(f *pflag.FlagSet) {
	f.StringVar(&s.to.URL, "share", "", "let others watch, read only, at this `address`, such as ssh://127.0.0.1:2222")
	f.StringVar(&s.to.Keys, "share-keys", "", "who may watch: a `file` as ~/.ssh/authorized_keys; needed where others than this machine get to --share")
}

// Where is what the flags say.
func (s *Share) Where() session.Share { return s.to }
