package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

func TestSBOM_ComponentsFromLicenses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "licenses.json.gz")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	zip := gzip.NewWriter(file)
	_, err = zip.Write([]byte(`{"components":[
		{"name":"Go","version":"1.26.8","licence":"BSD-3-Clause","text":"…"},
		{"name":"golang.org/x/net","version":"v0.62.0","licence":"BSD-3-Clause"},
		{"name":"@corvu/utils","version":"0.4.2","licence":"MIT"},
		{"name":"dompurify","version":"3.4.18","licence":"(MPL-2.0 OR Apache-2.0)"},
		{"name":"x.y","version":"1.0.0","licence":"not stated"}]}`))
	if err != nil || zip.Close() != nil || file.Close() != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := run([]string{"0.1.0", path}, &out); err != nil {
		t.Fatal(err)
	}
	var got bom
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if got.Format != "CycloneDX" || got.Metadata.Component.Version != "0.1.0" {
		t.Errorf("got %+v", got)
	}
	for i, want := range []string{
		"pkg:golang/std@1.26.8", "pkg:golang/golang.org/x/net@v0.62.0", "pkg:npm/%40corvu/utils@0.4.2",
		"pkg:npm/dompurify@3.4.18", "pkg:npm/x.y@1.0.0",
	} {
		if got.Components[i].PURL != want {
			t.Errorf("got %s, want %s", got.Components[i].PURL, want)
		}
	}
	if l := got.Components[3].Licenses[0]; l.Expression != "(MPL-2.0 OR Apache-2.0)" || l.License != nil {
		t.Errorf("a choice of licenses is %+v", l)
	}
	if l := got.Components[4].Licenses[0].License; l.Name != "not stated" || l.ID != "" {
		t.Errorf("a license that SPDX does not know is %+v", l)
	}
}
