// This file is the command that looks at this machine and this terminal.

package main

import (
	"github.com/spf13/cobra"

	"tokdyno/gpu/source"
	"tokdyno/ui/flags"
	"tokdyno/ui/session"
)

func newDoctor(std session.Streams, me *user) *cobra.Command {
	var gpus flags.GPUs
	var looks flags.Look
	survey := session.Survey{Look: source.Look}
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "What of this machine and this terminal hinders a measurement",
		Long: `doctor looks at the terminal, its colours and characters, the GPUs, the limit of
open files, the clock, arrival stamps, the proxy, the folder of kept runs and
the processor. A line that begins with ! says what to do. The exit status is 2
where something keeps tokdyno from working, and else 0. The only requests that
it sends go to a server of its own, on this machine, and to what --gpu names.`,
		Example: `  tokdyno doctor
  tokdyno doctor --json
  tokdyno doctor --gpu ssh:gpu-7`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if survey.Names, survey.Options, err = asked(cmd, &gpus); err != nil {
				return err
			}
			return session.Doctor(cmd.Context(), survey, me.look(&looks), std)
		},
	}
	cmd.Flags().SortFlags = false
	gpus.Bind(cmd.Flags())
	looks.BindColours(cmd.Flags())
	cmd.Flags().BoolVar(&survey.JSON, "json", false, "print JSON: each check with its state, what it says and what to do")
	return cmd
}
