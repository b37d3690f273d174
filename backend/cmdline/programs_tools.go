package cmdline

import (
	"regexp"
	"slices"
	"strings"
)

// This file describes the programs that have subcommands.

func gitProgram() program {
	const transport = "--upload-pack --receive-pack --exec --config --template --separate-git-dir --reference --server-option --recurse-submodules"
	return program{
		flags:  f("--output --ext-diff --no-index --open-files-in-pager --upload-pack --receive-pack --exec-path --git-dir --work-tree --namespace --config-env --super-prefix --paginate --attr-source --textconv --filters --contents --unsafe-paths --smtp-server --edit-description"),
		before: f("-c -C -p"), valueOptions: f("-c -C"),
		subs: commands(
			"status log diff show branch tag blame reflog shortlog describe rev-parse rev-list merge-base ls-files ls-tree cat-file name-rev whatchanged cherry count-objects "+
				"diff-tree diff-index diff-files for-each-ref show-ref show-branch symbolic-ref range-diff check-ignore check-attr grep var version help "+
				"add commit stash checkout switch restore reset merge cherry-pick revert rm mv clean notes remote fetch pull push ls-remote init clone worktree rebase submodule bisect archive format-patch am apply config",
			"", map[string]program{
				"grep":      {flags: f("-O -f --no-index --open-files-in-pager"), values: "ABCem"},
				"archive":   {flags: f("-o --output --remote --exec")},
				"fetch":     {flags: f(transport), words: isHelper, scripts: remoteAddress("-o --server-option --depth --deepen --shallow-since --shallow-exclude -j --jobs --negotiation-tip --refmap")},
				"pull":      {flags: f(transport + " -s --strategy"), words: isHelper, scripts: remoteAddress("-o --server-option --depth --deepen --shallow-since --shallow-exclude -j --jobs -X --strategy-option")},
				"push":      {flags: f(transport + " --repo"), words: isHelper, scripts: remoteAddress("-o --push-option")},
				"clone":     {flags: f(transport + " -u -c"), words: isHelper, alone: true},
				"ls-remote": {flags: f(transport), words: isHelper, scripts: remoteAddress("-o --server-option --sort")},
				"init":      {flags: f("--template --separate-git-dir"), alone: true},
				"remote":    {words: isOneOf("add set-url update prune")},
				"config":    {flags: f("-f -e --global --system --file --blob --edit --worktree"), alone: true},
				"rebase":    {flags: f("-x -i -s --exec --interactive --strategy --edit-todo")},
				"merge":     {flags: f("-s --strategy --edit"), values: "mF"},
				"submodule": {words: isOneOf("foreach update add init sync set-url"), alone: true},
				"bisect":    {words: isOneOf("run visualize view"), alone: true},
				"worktree":  {words: isOneOf("add move")},
				"am":        {alone: true}, "apply": {flags: f("--unsafe-paths --directory --build-fake-ancestor")},
				"add": {flags: f("-e --edit")}, "cherry-pick": {flags: f("-s --strategy"), values: "mX"}, "revert": {flags: f("--strategy")},
				"format-patch": {flags: f("-o --output --output-directory")},
				"commit":       {flags: f("-e -t --edit --template"), values: "mFCcS"},
				"help":         {flags: f("-w --web"), values: ""}, "diff": {flags: f("-O")}, "log": {flags: f("-O")}, "show": {flags: f("-O")},
			}),
		strict: true,
	}
}

// isHelper reports whether a repository's address selects one of git's remote helper programs, as in
// ext::command.
func isHelper(text string) bool { return strings.Contains(text, "::") }

// remoteAddress returns a function that returns the first word with the address of a repository, or "" if there is
// none. The names of remotes, which the user has configured, aren't addresses. The caller passes the options whose
// value is the next word (takes).
func remoteAddress(takes string) func([]argument) string {
	values := f(takes)
	return func(args []argument) string {
		for _, a := range args {
			if !a.own && isAddress.MatchString(a.text) {
				return a.text
			}
		}
		for i := 0; i < len(args); i++ {
			switch a := args[i]; {
			case slices.Contains(values, a.text):
				i++
			case strings.HasPrefix(a.text, "-"):
			case !a.own && strings.Contains(a.text, ":"):
				return a.text
			default:
				return ""
			}
		}
		return ""
	}
}

// isAddress matches words in the form of a repository's address, such as me@host:path.
var isAddress = regexp.MustCompile(`^[^-/][^/]*[.@][^/]*:|^[^-][^:]*://`)

// isOneOf returns a function that reports whether a word is in the space-separated list.
func isOneOf(list string) func(string) bool {
	return func(text string) bool {
		for _, one := range f(list) {
			if one == text {
				return true
			}
		}
		return false
	}
}

func goProgram() program {
	remote := program{words: func(text string) bool { return strings.Contains(text, "@") }}
	return program{
		single: true,
		flags: f("-exec -toolexec -o -vettool -modfile -overlay -C -pkgdir -ldflags -gcflags -asmflags -gccgoflags -compiler -mod -modcacherw -pgo -c -fuzz -outputdir -trace -cpuprofile -memprofile -blockprofile -mutexprofile -coverprofile " +
			"-test.outputdir -test.trace -test.cpuprofile -test.memprofile -test.blockprofile -test.mutexprofile -test.coverprofile -test.fuzzcachedir -test.gocoverdir -test.testlogfile -w -u -http -workfile -fix -fixtool -debug-trace -debug-actiongraph"),
		subs: commands("build test vet fmt doc help env version generate", "install get mod work tool clean fix bug telemetry", map[string]program{"run": remote, "list": remote}), strict: true,
	}
}

func dockerProgram() program {
	return program{
		flags: f("--config --context --host --tlscacert --tlscert --tlskey"),
		subs: commands("ps images logs inspect version info stats top port diff history events search", "exec push pull login logout load import save export commit context plugin buildx swarm cp create rm rmi kill stop start restart system volume network", map[string]program{
			"run":     {any: true, alone: true},
			"exec":    {any: true, alone: true},
			"create":  {any: true, alone: true},
			"build":   {words: func(text string) bool { return text == "-" || strings.ContainsAny(text, ":@") }, flags: f("-f -o --file --output --secret --ssh --network --build-context --allow --iidfile --metadata-file --cache-to --cache-from"), alone: true, values: "t"},
			"compose": {flags: f("-f --file --project-directory --env-file"), words: isOneOf("run exec cp publish push"), alone: true},
		}), strict: true, before: f("-H -c"),
	}
}

func kubectlProgram() program {
	return program{
		flags: f("--kubeconfig --context --cluster --server --as --as-group --token --raw --cache-dir --profile-output --certificate-authority --client-certificate --client-key --kustomize --filename --template --user -s -k"), words: func(text string) bool { return strings.Contains(text, "://") },
		subs: commands("get describe logs top version api-resources api-versions explain cluster-info", "exec cp apply delete edit run attach port-forward proxy debug create replace patch scale rollout label annotate drain cordon taint expose set config auth plugin", nil), strict: true, values: "nlofc",
	}
}

func ghProgram() program {
	look := program{subs: commands("list ls view diff status checks watch verify", "", nil), strict: true, flags: f("--web -w --editor"), scripts: jqScript}
	return program{
		subs: commands("status version help", "alias extension auth config gist secret variable ssh-key gpg-key codespace browse attestation", map[string]program{
			"pr": look, "issue": look, "repo": look, "run": look, "release": look, "workflow": look, "label": look,
			"search": {flags: f("--web -w"), scripts: jqScript}, "status": {scripts: jqScript},
			"api": {flags: f("-X -f -F -H --method --field --raw-field --input --hostname --header --cache"), values: "qtp", alone: true},
		}), strict: true,
	}
}

// jqScript checks the arguments of a program that embeds jq. It returns the first argument with a jq script that
// reads more than its input, or "" if there is none.
func jqScript(args []argument) string {
	for _, a := range args {
		script := strings.TrimPrefix(strings.TrimPrefix(a.text, "--jq="), "-q")
		if !a.own && jqMore.MatchString(script) {
			return a.text
		}
	}
	return ""
}

// nodeFlags lists the options for which JavaScript package managers require permission.
const nodeFlags = "--script-shell --onload-script --node-gyp --prefix --userconfig --globalconfig --registry --node-options --scripts-prepend-node-path --shell --git --cache --global --location --call --package --viewer --editor --init-module --browser --proxy --https-proxy --cafile --scope-registry --cwd --dir --shell-mode --modules-folder --cache-folder --global-folder --use-yarnrc --config --require --preload --env-file"

func npmProgram() program {
	return program{
		flags: f(nodeFlags + " -C -g -c -p"), dashes: true, oneDash: true,
		subs: commands("test t tst run run-script start stop restart ls list la ll outdated view info show v why explain fund audit help root prefix bin doctor ping whoami search query diff",
			"exec x init create install i in ins add ci clean-install update up upgrade uninstall remove rm un publish unpublish config set get explore edit link ln pkg version pack dedupe rebuild prune login logout adduser token owner team org access deprecate dist-tag hook profile cache completion shrinkwrap install-test it install-ci-test cit", map[string]program{
				"audit": {words: isOneOf("fix signatures"), dashes: true},
			}), strict: true,
	}
}

func pnpmProgram() program {
	const more = "dlx exec x create init install i add update up upgrade remove rm publish config link import patch env setup store server deploy fetch pm"
	return program{
		flags: f(nodeFlags + " -C -c -g -r"), dashes: true,
		subs: commands("", more, nil), words: isOneOf(more), // also after --filter and its value
	}
}

func bunProgram() program {
	p := pnpmProgram()
	p.flags = append(f("-e -p --eval --print --import"), p.flags...)
	return p
}

func yarnProgram() program {
	const more = "dlx exec node create init install add up upgrade upgrade-interactive remove publish config global set plugin link unlink import pack npm policies " +
		"patch patch-commit unplug rebuild version login logout owner tag team access"
	return program{
		flags: f(nodeFlags), dashes: true,
		subs: commands("", more, nil), words: isOneOf(more), // also after "workspace x" and "workspaces foreach"
	}
}

func cargoProgram() program {
	return program{
		flags: f("--config --manifest-path --target-dir --out-dir --artifact-dir --root --git --index --registry --open -Z -C"), values: "jpF", dashes: true,
		words: func(text string) bool { return strings.HasPrefix(text, "+") },
		subs:  commands("build b check c test t clippy fmt doc d run r bench tree metadata version help", "install uninstall update add remove rm publish yank login logout owner fix init new vendor clean", nil), strict: true,
	}
}

func pipProgram() program {
	return program{
		flags: f("--index-url --extra-index-url --find-links --target --prefix --root --src --editable --requirement --constraint --proxy --cert --config-settings --python -i -f -t -e -r -c"),
		subs:  commands("list show freeze check --version help tree", "install uninstall download wheel config cache run sync add remove lock init build publish tool x pip venv python self shell exec env search index debug", nil), strict: true,
	}
}
