// This file is the hidden command that packages are made with: manual pages and completions, from the table of commands.

package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// newMan writes man1/tokdyno*.1 and completions/ into a folder. The date of the pages is SOURCE_DATE_EPOCH, where it is set.
func newMan() *cobra.Command {
	return &cobra.Command{
		Use:    "man DIR",
		Short:  "Write manual pages and shell completions into a folder, for packages",
		Hidden: true,
		Args:   exactly(1, "give the folder to write into"),
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			root.DisableAutoGenTag = true
			asManual(root)
			pages := filepath.Join(args[0], "man1")
			if err := os.MkdirAll(pages, 0o755); err != nil {
				return err
			}
			header := doc.GenManHeader{Section: "1", Source: "tokdyno", Manual: "tokdyno"}
			if err := doc.GenManTree(root, &header, pages); err != nil {
				return err
			}
			return writeCompletions(root, filepath.Join(args[0], "completions"))
		},
	}
}

// asManual has the help of a command, and of those below it, taken for Markdown, which manual pages are made from: paragraphs
// whose lines are indented are lists, and stay as they are.
func asManual(c *cobra.Command) {
	paragraphs := strings.Split(c.Long, "\n\n")
	for i, p := range paragraphs {
		if strings.Contains("\n"+p, "\n ") {
			paragraphs[i] = "```\n" + p + "\n```"
		}
	}
	c.Long = strings.Join(paragraphs, "\n\n")
	for _, below := range c.Commands() {
		asManual(below)
	}
}

// writeCompletions writes a file for each shell, under the name by which the shell looks for it.
func writeCompletions(root *cobra.Command, folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for name, write := range map[string]func(io.Writer) error{
		"tokdyno.bash": func(w io.Writer) error { return root.GenBashCompletionV2(w, true) },
		"_tokdyno":     root.GenZshCompletion,
		"tokdyno.fish": func(w io.Writer) error { return root.GenFishCompletion(w, true) },
		"tokdyno.ps1":  root.GenPowerShellCompletionWithDesc,
	} {
		file, err := os.Create(filepath.Join(folder, name))
		if err != nil {
			return err
		}
		if err := write(file); err != nil {
			_ = file.Close() // the error that counts is known
			return err
		}
		if err := file.Close(); err != nil {
			return err
		}
	}
	return nil
}
