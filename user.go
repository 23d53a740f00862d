// This file is what the person at the keyboard has of their own: presets, and a configuration file.

package main

import (
	"os"

	"github.com/spf13/cobra"

	"tokdyno/presets"
	"tokdyno/ui/config"
	"tokdyno/ui/flags"
	"tokdyno/ui/session"
)

// user is what is the person's own. Its file is read when the command line is known, which may name another one.
type user struct {
	library *presets.Library
	named   string       // by --config
	file    *config.File // says nothing before it was read
}

func newUser() (*user, error) {
	library, err := presets.Open(presets.Folder())
	return &user{library: library, file: new(config.File)}, err
}

// bind adds --config to all commands below one, and has those that are given read the file before they do anything.
func (u *user) bind(root *cobra.Command, readers ...*cobra.Command) {
	root.PersistentFlags().StringVar(&u.named, "config", "", "configuration `file`; off: none; default: see tokdyno config --path")
	for _, cmd := range readers {
		cmd.PreRunE = func(cmd *cobra.Command, _ []string) error {
			if err := u.read(); err != nil {
				return err
			}
			return u.file.Apply(cmd.Flags(), os.Getenv)
		}
	}
}

// read reads the file.
func (u *user) read() (err error) {
	u.file, err = config.Read(u.named, u.library)
	return err
}

// look is how the console is to look, and what it offers.
func (u *user) look(l *flags.Look) session.Look {
	return session.Look{
		Theme: l.Theme(), Preferred: u.file.Theme(), Themes: u.file.Themes, ASCII: l.ASCII(), Unicode: l.Unicode(),
		Mouse: l.Mouse(), Presets: u.library, KeepText: l.KeepText(), Share: l.Share.Where(),
	}
}

// urls are the URLs given, else the environment's, else those of the file; none where nobody named one.
func (u *user) urls(args []string) []string {
	if len(args) > 0 {
		return args
	}
	if url := os.Getenv(config.URLVariable); url != "" {
		return []string{url}
	}
	return u.file.URL()
}

func newConfig(std session.Streams, me *user) (*cobra.Command, error) {
	var all config.Flags
	var path, every bool
	cmd := &cobra.Command{
		Use:   "config",
		Short: "The configuration file, and where each setting comes from",
		Long: `config prints what is set, with where that comes from: a line of the
configuration file, the environment, a preset, or a flag given here. With --all
it prints every setting.

The file holds what you would otherwise type every time, a line each. Its keys
are the flags, with _ for -:

  url: http://gpu-1:8000
  slo: ttft=500ms tpot=40ms
  keep_runs: 500
  theme: mine
  themes:
    mine: {base: dark, good: "#00FF00 bold"}

Flags are stronger than the environment, that than --preset, that than the file,
and the file than the defaults. A theme of your own is a base and, by the names
that "tokdyno themes" shows, what differs. Keys and passwords are refused.`,
		Example: `  tokdyno config
  tokdyno config --all
  tokdyno config --preset chat --concurrency 32
  $EDITOR "$(tokdyno config --path)"`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if path {
				_, err := std.Out.WriteString(config.PathOf(me.named) + "\n")
				return err
			}
			if err := me.read(); err != nil {
				return err
			}
			rows, err := all.Rows(me.file, me.library, os.Getenv)
			if err != nil {
				return &usageError{cmd.CommandPath(), err}
			}
			return config.Show(std.Out, me.file, rows, every)
		},
	}
	cmd.Flags().SortFlags = false
	err := all.Bind(cmd.Flags(), me.library)
	cmd.Flags().BoolVar(&every, "all", false, "every setting, not only what is set")
	cmd.Flags().BoolVar(&path, "path", false, "print where the file is, or would be")
	return cmd, err
}

func newThemes(std session.Streams, me *user) *cobra.Command {
	var looks flags.Look
	cmd := &cobra.Command{
		Use:   "themes [NAME…]",
		Short: "The console's colours, and what each is used for",
		Long: `themes shows all themes, or those named: each colour with what it is used for,
as this terminal draws it. Without a terminal it prints the colours in words.`,
		Example: `  tokdyno themes
  tokdyno themes high-contrast
  tokdyno demo --theme high-contrast`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return session.ListThemes(std, me.look(&looks), args)
		},
	}
	looks.BindColours(cmd.Flags())
	return cmd
}
