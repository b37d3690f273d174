// Command empty is a Wails window with nothing in it: what is measured against
// it is what VoxPilot adds.
package main

import (
	"embed"
	"io/fs"
	"log"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/options/linux"
)

//go:embed page
var files embed.FS

func main() {
	page, err := fs.Sub(files, "page")
	if err == nil {
		err = wails.Run(&options.App{
			Title: "Empty", Width: 1280, Height: 800, AssetServer: &assetserver.Options{Assets: page},
			Linux: &linux.Options{WebviewGpuPolicy: linux.WebviewGpuPolicyNever},
		})
	}
	if err != nil {
		log.Fatal(err)
	}
}
