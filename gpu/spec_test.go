package gpu

import (
	"strings"
	"testing"
)

func TestParseSpec(t *testing.T) {
	for text, want := range map[string]Spec{
		"auto": {Kind: KindAuto}, "nvml": {Kind: KindNVML}, "smi": {Kind: KindSMI}, "none": {Kind: KindNone},
		"ssh:gpu-7":                         {KindSSH, "gpu-7"},
		"ssh:me@gpu-7":                      {KindSSH, "me@gpu-7"},
		"ssh://me@gpu-7":                    {KindSSH, "me@gpu-7"},
		"http://gpu-7:9400":                 {KindExporter, "http://gpu-7:9400"},
		"https://me:pw@gpu-7/dcgm/metrics?": {KindExporter, "https://me:pw@gpu-7/dcgm/metrics?"},
	} {
		if got, err := ParseSpec(text); err != nil || got != want {
			t.Errorf("%s: %+v, %v; want %+v", text, got, err, want)
		}
	}
	for text, hint := range map[string]string{
		"":                   "ssh:HOST",
		"NVML":               "no GPU source",
		"cuda":               "no GPU source",
		"gpu-7:9400":         "write http://gpu-7:9400",
		"10.0.0.7":           "write http://10.0.0.7",
		"ftp://gpu-7":        "http or https",
		"http://":            "no host",
		"http://me:secret@":  "no host",
		"ssh:":               "needs a host",
		"ssh:-oProxyCommand": "no host name",
		"ssh:gpu-7 reboot":   "no host name",
	} {
		_, err := ParseSpec(text)
		if err == nil || !strings.Contains(err.Error(), hint) {
			t.Errorf("%q: %v, want it to speak of %q", text, err, hint)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("a password is shown: %v", err)
		}
	}
}

func TestNoneStandsAlone(t *testing.T) {
	if got, err := ParseSpecs(nil); err != nil || len(got) != 1 || got[0].Kind != KindAuto {
		t.Errorf("nothing: %v, %v", got, err)
	}
	if got, err := ParseSpecs([]string{"nvml", "ssh:b"}); err != nil || len(got) != 2 {
		t.Errorf("two: %v, %v", got, err)
	}
	if _, err := ParseSpecs([]string{"none", "nvml"}); err == nil {
		t.Error("none stands beside another")
	}
	if _, err := ParseSpecs([]string{"nvml", "x"}); err == nil {
		t.Error("one that is wrong passes")
	}
}

func TestSpecHidesPasswords(t *testing.T) {
	for url, want := range map[string]string{
		"http://me:secret@gpu-7/":                "http://me:xxxxx@gpu-7/",
		"http://gpu-7/metrics?token=secret&all":  "http://gpu-7/metrics?…",
		"http://gpu-7:9400/metrics":              "http://gpu-7:9400/metrics",
		"https://gpu-7/metrics?token=a%20secret": "https://gpu-7/metrics?…",
	} {
		if got := (Spec{KindExporter, url}).String(); got != want {
			t.Errorf("%s: %s", url, got)
		}
	}
}

func FuzzParseSpec(f *testing.F) {
	for _, text := range []string{"auto", "ssh:me@gpu-7", "http://gpu-7:9400/metrics", "http://me:pw@", "ssh:[fe80::1%eth0]", "://", "a:b"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		spec, err := ParseSpec(text)
		if err != nil {
			if spec != (Spec{}) {
				t.Errorf("%+v with an error", spec)
			}
			return
		}
		if spec.Kind == KindSSH {
			if strings.HasPrefix(spec.Arg, "-") || strings.ContainsAny(spec.Arg, " \t\n;|&$`'\"\\") {
				t.Errorf("%q reaches ssh", spec.Arg)
			}
		}
		if again, err := ParseSpec(spec.String()); spec.Kind != KindExporter && (err != nil || again != spec) {
			t.Errorf("%+v reads back as %+v, %v", spec, again, err)
		}
	})
}
