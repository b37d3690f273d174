// Command empty shows an empty Wails window, the baseline for the overhead that VoxPilot adds.
//
// With the argument "hidden", the window stays hidden until the program reads "show" from its input,
// and is hidden again on "hide". The program prints the time at which the window is shown, in
// microseconds since 1970.
package main

import (
	"bufio"
	"context"
	"embed"
	"fmt"
	"io/fs"
	"log"
	"os"
	"time"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/options/linux"
	"github.com/wailsapp/wails/v2/pkg/runtime"
)

//go:embed page shown
var files embed.FS

func main() {
	app := &options.App{
		Title: "Empty", Width: 1280, Height: 800,
		Linux: &linux.Options{WebviewGpuPolicy: linux.WebviewGpuPolicyNever},
	}
	folder := "page"
	if len(os.Args) == 2 && os.Args[1] == "hidden" {
		folder = "shown"
		app.Width, app.Height, app.StartHidden, app.OnDomReady = 680, 300, true, obey
	}
	page, err := fs.Sub(files, folder)
	if err == nil {
		app.AssetServer = &assetserver.Options{Assets: page}
		err = wails.Run(app)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// obey shows and hides the window as commanded on standard input.
func obey(ctx context.Context) {
	runtime.EventsOn(ctx, "shown", func(...any) { fmt.Println(time.Now().UnixMicro()) })
	fmt.Println("ready")
	go func() {
		for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
			if lines.Text() == "hide" {
				runtime.WindowHide(ctx)
				continue
			}
			runtime.WindowShow(ctx)
			runtime.WindowUnminimise(ctx)
		}
	}()
}
