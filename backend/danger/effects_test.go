package danger_test

import (
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend/danger"
)

// TestEffectsOf_NamesWhatLeavesTheFiles checks the effects that are found in command lines. The letters stand for
// effects: r for remote, o for outside, g for changes to Git's data.
func TestEffectsOf_NamesWhatLeavesTheFiles(t *testing.T) {
	for _, c := range []struct{ want, command string }{
		// Git's data.
		{"g", "git commit -m 'fix it'"},
		{"g", "git add -A && git commit -qm 1"},
		{"g", "git -C sub -c user.name=a commit -am x"},
		{"g", `git commit -m "$(cat <<'EOF'`}, // the first line of a longer command
		{"g", `git commit -m "First line`},
		{"g", "npm test && git checkout -b topic &&"},
		{"g", "git checkout -- a.go"},
		{"g", "git switch main"},
		{"g", "git rm -r old"},
		{"g", "git mv a b"},
		{"g", "git restore --staged a.go"},
		{"", "git restore a.go"},
		{"g", "git update-ref refs/heads/x HEAD"},
		{"g", "git update-index --assume-unchanged a"},
		{"g", "git symbolic-ref HEAD refs/heads/x"},
		{"", "git symbolic-ref HEAD"},
		{"g", "git submodule update --init"},
		{"g", "git clone https://example.org/a.git"},
		{"g", "git worktree add -b x sub"},
		{"", "git worktree list"},
		{"g", "git stash"},
		{"g", "git stash pop"},
		{"", "git stash list"},
		{"g", "git branch -D x"},
		{"", "git branch --show-current; git branch -a"},
		{"g", "git tag v1"},
		{"", "git tag -l 'v*'"},
		{"g", "git config user.name me"},
		{"", "git config user.name"},
		{"g", "git remote add fork https://example.org"},
		{"", "git status && git diff && git log --oneline -5 && git show HEAD"},
		{"", "git add --dry-run ."},
		{"g", "gh pr checkout 7"},
		{"g", "rm -rf .git"},
		{"g", "echo x > .git/hooks/pre-commit"},
		{"", "cat .git/HEAD"},
		// Other computers.
		{"r", "git push"},
		{"r", "git push --force origin main"},
		{"", "git push --dry-run"},
		{"gr", "git commit -qm 1 && git push"},
		{"r", "npm publish"},
		{"", "npm publish --dry-run"},
		{"r", "cd pkg && sudo npm publish --access public"},
		{"r", "bash -c 'docker push x/y'"},
		{"r", "curl -X POST https://example.org/hook"},
		{"r", "curl -XDELETE https://example.org/1"},
		{"r", "curl -sX POST https://example.org/hook"},
		{"r", "curl -sSd a=1 https://example.org"},
		{"r", "gh repo create config-tool --private"},
		{"r", "gh issue create -t list -b help"},
		{"r", "curl -s --json '{}' https://example.org"},
		{"r", "curl -sS -d a=1 https://example.org"},
		{"", "curl -sSfL https://example.org/a.txt"},
		{"", "curl -X GET https://example.org"},
		{"r", "wget --post-data=a https://example.org"},
		{"r", "ssh host uptime"},
		{"r", "rsync -a dist/ host:/srv"},
		{"r", "gh pr create --fill"},
		{"r", "gh api -X POST repos/a/b/issues"},
		{"", "gh pr view 7; gh pr list; gh api repos/a/b; gh run list"},
		{"r", "kubectl apply -f x.yaml"},
		{"", "kubectl get pods"},
		{"r", "aws s3 cp a s3://bucket"},
		{"", "aws ec2 describe-instances"},
		{"r", "terraform apply -auto-approve"},
		// Files outside the folder.
		{"o", "cp a.txt ~/a.txt"},
		{"o", "cp a.txt $HOME"},
		{"", "cp ~/a.txt ."},
		{"o", "cp -t /etc a.txt"},
		{"o", "mv a.txt ../other/"},
		{"o", "echo x >> ~/.bashrc"},
		{"o", "echo x | sudo tee /etc/hosts"},
		{"o", "cd .. && touch x"},
		{"", "cd .. && ls && cat x"},
		{"", "(cd ..) && touch x"},
		{"o", "sed -i s/a/b/ ../x"},
		{"", "sed -n 1,5p ../x"},
		{"", "cat /etc/hosts; grep -r x /usr/include; ls ~ 2>/dev/null"},
		{"", "npm test > /tmp/out.txt 2>&1"},
		{"o", "find ~/x -name '*.o' -delete"},
		{"o", "find . -name '*.o' -exec cp {} /srv ;"},
		{"o", "npm install --prefix=/opt/x"},
		// No effects.
		{"", ""},
		{"", "go test ./... && rm -rf dist && cp a b && mkdir -p x/y && touch /home/me/app/z"},
		{"", "echo git push; echo 'npm publish'"},
		{"b", "npm run dev > dev.log 2>&1 &"}, {"b", "(sleep 1; echo a > b) & true"}, {"", "a && b || c; echo '&'"},
		{"", "a | b & wait"}, {"", "a & b & wait $!"}, {"b", "a & wait; b &"}, {"b", "(a &); wait"}, {"", "(a & wait)"}, {"", "go test &> log"}, {"b", "go run . &> log &"}, {"b", "coproc a"},
		{"b", "nohup ./run.sh > log 2>&1 &"}, {"", "nohup ./run.sh"}, {"b", "setsid ./run.sh"}, {"b", "nohup setsid -f ./run.sh"}, {"", "setsid -w ./run.sh"}, {"b", "./run.sh & disown"},
		{"b", "bash -c 'npm run dev &'"}, {"b", `sh -c "sleep 1; echo a > b &" && true`}, {"b", "eval 'a &'"}, {"", "bash -c 'a & wait'"}, {"b", "bash <<END\nEND\ntmux new-session -d 'npm run dev'"},
		{"b", "tmux new -d -s x a"}, {"b", "tmux send-keys -t x 'make' Enter"}, {"", "tmux ls"}, {"b", "screen -dmS x a"}, {"", "screen -ls"}, {"b", "docker run -d --rm x"}, {"b", "docker compose up -d"},
		{"", "docker compose up --no-start"}, {"", "docker run --rm x"}, {"b", "docker start db"}, {"b", "echo a | at now"}, {"b", "batch < x"}, {"b", "systemd-run --user a"}, {"", "systemd-run --scope a"},
		{"b", "pm2 start app.js"}, {"b", "Start-Process npm -ArgumentList 'run dev'"}, {"", "Start-Process npm -Wait"}, {"b", "Start-Job { npm run dev }"}, {"b", "$j = Start-Job -ScriptBlock { while ($true) { a } }"},
		{"b", "if ($x) { Start-Process -FilePath npm }"}, {"", "if ($x) { Start-Process npm -Wait }"}, {"b", "start npm run dev"}, {"o", "start /wait npm run dev"}, {"ob", "cmd /c start npm run dev"}, {"o", "cmd /c start /wait npm run dev"}, {"", "npm start"}, {"", "echo start"},
	} {
		e := danger.EffectsOf("/home/me/app", "/home/me", c.command)
		got := ""
		if e.Repository {
			got += "g"
		}
		if e.Remote {
			got += "r"
		}
		if e.Outside {
			got += "o"
		}
		if e.Background {
			got += "b"
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.command, got, c.want)
		}
	}
}

func TestEffectsOf_LongAndDeepCommands(t *testing.T) {
	for _, command := range []string{
		strings.Repeat("sh -c '", 200), strings.Repeat("$(", 2000), strings.Repeat("echo a; ", 20_000) + "git push", strings.Repeat("\x00", 1<<20),
	} {
		danger.EffectsOf("/home/me/app", "", command) // must end
	}
	if !danger.EffectsOf("/home/me/app", "", "git push; "+strings.Repeat("echo a; ", 20_000)).Remote {
		t.Error("the start of a long command wasn't read")
	}
}
