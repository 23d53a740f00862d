// This file asks the ports, all at once.

package nearby

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/wire"
)

// Patience is how long a port is waited for: a server of this machine answers within milliseconds.
const Patience = 300 * time.Millisecond

// Ports are those on which inference servers listen where nobody chose another: vLLM's, SGLang's, llama.cpp's, Ollama's, LM
// Studio's, TGI's, LMDeploy's and llamafile's or Triton's.
func Ports() []int { return []int{8000, 30000, 8080, 11434, 1234, 3000, 23333, 9000} }

// Server is a server that was found.
type Server struct {
	URL    string
	Name   string   // such as "vLLM 0.11.0"; "": it does not tell
	Models []string // that it serves
	Locked bool     // it wants a key, so that its models are not known
}

// Find asks each port of this host for its models, one request each, and returns those that have a list, in the order of the
// ports. It takes no longer than Patience.
func Find(ctx context.Context, ports []int) []Server {
	ctx, cancel := context.WithTimeout(ctx, Patience)
	defer cancel()
	found := make([]*Server, len(ports))
	var asking sync.WaitGroup
	for i, port := range ports {
		asking.Go(func() { found[i] = ask(ctx, fmt.Sprintf("http://localhost:%d", port)) })
	}
	asking.Wait()
	var list []Server
	for _, s := range found {
		if s != nil {
			list = append(list, *s)
		}
	}
	return slices.Clip(list)
}

// ask returns nil where nobody answers as an inference server does.
func ask(ctx context.Context, url string) *Server {
	client, err := wire.New(wire.Endpoint{URL: url, NoProxy: true, ConnectTimeout: Patience}, record.NewClock())
	if err != nil {
		return nil
	}
	defer client.Close()
	models, name, err := client.Models(ctx)
	switch {
	case wire.WantsKey(err):
		return &Server{URL: url, Locked: true}
	case err != nil:
		return nil
	}
	return &Server{URL: url, Name: name, Models: models}
}
