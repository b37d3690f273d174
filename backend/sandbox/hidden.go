package sandbox

import (
	"path/filepath"
	"slices"
	"strings"
)

// DefaultHidden lists files and folders with the user's secrets. Commands can't read them unless the user chooses
// otherwise. "~" is the home folder. Package managers' settings files that may contain passwords are hidden completely;
// with Policy.Caches, commands still get the other settings of npm, pip and Cargo.
var DefaultHidden = []string{
	// Keys and passwords.
	"~/.ssh", "~/.gnupg", "~/.local/share/gnupg", "~/.pki", "~/.age", "~/.config/sops", "~/.password-store", "~/.local/share/keyrings", "~/.local/share/kwalletd",
	"~/.kde/share/apps/kwallet", "~/.config/keepassxc", "~/.config/op", "~/.config/Bitwarden", "~/.config/Bitwarden CLI", "~/.authinfo", "~/.authinfo.gpg", "~/.netrc", "~/.pgpass", "~/.my.cnf", "~/.vault-token",
	"~/Library/Keychains",
	// Cloud services and servers.
	"~/.aws", "~/.azure", "~/.config/gcloud", "~/.boto", "~/.s3cfg", "~/.config/rclone", "~/.config/doctl", "~/.oci", "~/.kube", "~/.config/helm", "~/.terraform.d", "~/.terraformrc", "~/.pulumi",
	"~/.docker", "~/.config/containers", "~/.fly", "~/.config/heroku", "~/.config/netlify", "~/.local/share/com.vercel.cli", "~/.config/.wrangler", "~/.config/stripe", "~/.databrickscfg",
	"~/.config/filezilla", "~/.putty", "~/.subversion/auth", "~/.kaggle", "~/.huggingface", "~/.cache/huggingface/token",
	// Code hosts.
	"~/.config/gh", "~/.config/hub", "~/.config/glab-cli", "~/.config/tea", "~/.git-credentials", "~/.config/git/credentials",
	// Package managers.
	"~/.npmrc", "~/.yarnrc.yml", "~/.config/pnpm/rc", "~/.bunfig.toml", "~/.pypirc", "~/.pip", "~/.config/pip", "~/Library/Application Support/pip", "~/.config/pypoetry", "~/.config/uv/credentials",
	"~/.local/share/uv/credentials", "~/.cargo/credentials", "~/.cargo/credentials.toml", "~/.cargo/config", "~/.cargo/config.toml", "~/.gem/credentials", "~/.local/share/gem/credentials", "~/.bundle/config",
	"~/.m2/settings.xml", "~/.m2/settings-security.xml", "~/.gradle/gradle.properties", "~/.nuget/NuGet", "~/.config/NuGet", "~/.composer/auth.json", "~/.config/composer/auth.json",
	// Agents.
	"~/.copilot", "~/.config/github-copilot", "~/.claude", "~/.claude.json", "~/.codex", "~/.gemini", "~/.qwen", "~/.local/share/opencode", "~/.config/opencode",
	// Browsers and messengers.
	"~/.mozilla", "~/.thunderbird", "~/.config/google-chrome", "~/.config/google-chrome-beta", "~/.config/chromium", "~/.config/BraveSoftware", "~/.config/microsoft-edge", "~/.config/vivaldi", "~/.config/opera", "~/.config/librewolf", "~/.librewolf",
	"~/.config/mozilla", "~/.var/app", "~/snap/firefox", "~/snap/chromium", "~/snap/thunderbird", "~/.config/Signal", "~/.config/Slack", "~/.config/discord", "~/.config/Element", "~/.local/share/TelegramDesktop", "~/.config/evolution", "~/.local/share/evolution",
	"~/Library/Application Support/Google/Chrome", "~/Library/Application Support/Firefox", "~/Library/Application Support/BraveSoftware", "~/Library/Application Support/Microsoft Edge", "~/Library/Safari", "~/Library/Cookies", "~/Library/Messages", "~/Library/Mail",
	// Sessions and histories.
	"~/.Xauthority", "~/.ICEauthority", "~/.config/pulse/cookie", "~/.bash_history", "~/.zsh_history", "~/.histfile", "~/.local/share/fish/fish_history", "~/.python_history", "~/.node_repl_history", "~/.psql_history", "~/.mysql_history",
	"~/.sqlite_history", "~/.rediscli_history", "~/.lesshst", "~/.viminfo",
	// Wallets.
	"~/.bitcoin", "~/.electrum", "~/.ethereum", "~/.config/solana",
	// System files that root can read.
	"/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/etc/sudoers", "/etc/sudoers.d", "/etc/ssh/ssh_host_rsa_key", "/etc/ssh/ssh_host_ecdsa_key", "/etc/ssh/ssh_host_ed25519_key",
	"/etc/NetworkManager/system-connections", "/etc/wireguard", "/etc/krb5.keytab", "/var/lib/docker", "/var/lib/containerd", "/var/lib/kubelet",
}

// Hidden returns the absolute paths of those files and folders in list that exist. The list has the form of
// DefaultHidden.
func Hidden(list []string, home string) []string {
	var places []string
	folders := map[string]bool{} // by folder: whether it exists
	for _, place := range list {
		if rest, ok := strings.CutPrefix(place, "~/"); ok {
			place = filepath.Join(home, rest)
		} else if place == "~" {
			place = home
		}
		if !filepath.IsAbs(place) {
			continue
		}
		dir := filepath.Dir(place)
		there, known := folders[dir]
		if !known {
			there = exists(dir)
			folders[dir] = there
		}
		if there && exists(place) && !slices.Contains(places, place) {
			places = append(places, place)
		}
	}
	return places
}
