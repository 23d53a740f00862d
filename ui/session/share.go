// This file lets others watch what the console shows.

package session

import (
	"context"
	"path/filepath"

	"github.com/adrg/xdg"

	"tokdyno/ui/console"
	"tokdyno/ui/share"
)

// Share says where a run can be watched, and by whom. The zero Share is nowhere.
type Share struct {
	URL  string // ssh://HOST:PORT
	Keys string // a file of keys as ssh's authorized_keys; "": everybody who gets there, which has to be this machine
}

// open lets others watch an engine, and puts into the console's options what its owner is told of that. The function that it
// returns sends everybody away.
func (s Share) open(eng console.Engine, options *console.Options) (done func(), err error) {
	if s.URL == "" {
		return func() {}, nil
	}
	place, err := share.ParsePlace(s.URL)
	if err != nil {
		return nil, err
	}
	server, err := share.Open(share.Config{
		Place: place, Keys: s.Keys, HostKey: filepath.Join(xdg.StateHome, "tokdyno", "ssh_host_ed25519"),
	}, func(ctx context.Context, w console.Watcher) error { return console.Watch(ctx, eng, w) })
	if err != nil {
		return nil, err
	}
	options.Shared, options.Watching = server.Sentence(), server.Watching
	return server.Close, nil
}
