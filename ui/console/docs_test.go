package console

import (
	"os"
	"testing"

	"tokdyno/ui/internal/golden"
)

func TestKeysInTheDocumentationAreCurrent(t *testing.T) {
	const path = "../../docs/keys.md"
	want := "# Keys\n\nThis list is made from the console's own table of keys.\n\n" + KeysMarkdown() +
		"\n## The command line\n\nA colon opens it; `tab` completes.\n\n" + CommandsMarkdown()
	if golden.Update() {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is not what the keys say; go test ./ui/console -run Documentation -update rewrites it", path)
	}
}
