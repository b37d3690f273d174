package backend

// ReviewCommitForm holds the data of the form for a commit in a chat's folder.
type ReviewCommitForm struct {
	Branch string `json:"branch"` // name of the current branch; "" for a detached HEAD
	// Author is the author of a commit, "Name <mail>", as Git determines it. It is "" if Git has no identity.
	Author string `json:"author"`
	// Message is the reason why nothing can be committed. Note is a hint or warning for the user about a commit in this
	// folder.
	Message Message `json:"message,omitzero"`
	Note    Message `json:"note,omitzero"`
	// Untrusted means that Message asks the user to trust the folder.
	Untrusted bool `json:"untrusted,omitempty"`
	// Hooks lists the hooks that a commit and a push run, in the order in which Git runs them. A hook is named by its
	// event, such as "pre-commit". A hook in Git's configuration also has a name: "pre-commit (lint)".
	Hooks   []string `json:"hooks"`
	Signing bool     `json:"signing,omitempty"` // Git is set up to sign commits
	// Suggestion is a suggested commit message for the requested files, in the style of earlier commits. It is "" if
	// nothing has changed.
	Suggestion string `json:"suggestion"`
	Staged     int    `json:"staged"` // number of files in the index that differ from HEAD
	// StagedVersion identifies the staged changes. It is "" if there are none.
	StagedVersion string            `json:"stagedVersion,omitempty"`
	Last          *ReviewLastCommit `json:"last,omitempty"`
	// Remotes lists the names of the remotes. Remote is the one that a push uses, or "" if there is none or more than one
	// is possible.
	Remotes  []string `json:"remotes"`
	Remote   string   `json:"remote,omitempty"`
	Upstream string   `json:"upstream,omitempty"` // such as "origin/main"
	// SetsUpstream means that a push sets the upstream, because the branch has no upstream or one with a different name.
	SetsUpstream bool `json:"setsUpstream,omitempty"`
	// Protected means that the branch is the remote's default branch, which other people build on.
	Protected bool `json:"protected,omitempty"`
	// Ahead is the number of commits to push, and Behind is the number of commits that only the upstream has. Without an
	// upstream, Ahead is the number of commits that no remote-tracking branch has.
	Ahead      int    `json:"ahead"`
	Behind     int    `json:"behind"`
	CompareURL string `json:"compareURL,omitempty"` // address of GitHub's page for opening a pull request for the branch
}

// ReviewLastCommit is the commit at HEAD.
type ReviewLastCommit struct {
	SHA     string `json:"sha"`
	Subject string `json:"subject"`
	Message string `json:"message"` // the whole message, for amending
	Pushed  bool   `json:"pushed"`  // a remote-tracking branch contains the commit
	// PushedTo is a remote-tracking branch that contains the commit, such as "origin/main". The one to which the branch
	// is pushed is preferred.
	PushedTo string `json:"pushedTo,omitempty"`
}

// ReviewCommitFiles determines which files a commit includes.
type ReviewCommitFiles string

// Values of ReviewCommitFiles.
const (
	CommitAll    ReviewCommitFiles = "all"    // all changes in the chat's folder, including new files
	CommitViewed ReviewCommitFiles = "viewed" // the files in Paths, which the user has viewed
	CommitStaged ReviewCommitFiles = "staged" // the index
	CommitChosen ReviewCommitFiles = "chosen" // the files in Paths
)

// ReviewCommitRequest describes a commit to make.
type ReviewCommitRequest struct {
	Message string            `json:"message"`
	Files   ReviewCommitFiles `json:"files"`
	// Paths are relative to the chat's folder, with slashes. A moved file needs both of its paths.
	Paths []string `json:"paths,omitempty"`
	// Versions maps each file of the commit to the version that the user saw (ReviewFile.Version in the source
	// "working"). A moved file has an entry under its new path only. If a file of the commit now has a different
	// version, nothing is committed. For CommitAll, nothing is committed either if other files have changed; if Versions
	// is nil, nothing is checked.
	Versions map[string]string `json:"versions,omitzero"`
	// StagedVersion is the version of the staged changes that the user saw (ReviewCommitForm.StagedVersion). For
	// CommitStaged, nothing is committed if they now have a different version; "" means that nothing is checked.
	StagedVersion string `json:"stagedVersion,omitempty"`
	Amend         bool   `json:"amend,omitempty"`
	Push          bool   `json:"push,omitempty"`
	Remote        string `json:"remote,omitempty"` // name of the remote for Push; "" for the remote of the branch
	SignOff       bool   `json:"signOff,omitempty"`
}

// ReviewPushRequest describes a push of the current branch. A push never overwrites commits on the remote.
type ReviewPushRequest struct {
	SetUpstream bool   `json:"setUpstream,omitempty"`
	Remote      string `json:"remote,omitempty"` // name of the remote; "" for the remote of the branch
}

// ReviewJobState is the state of a ReviewJob.
type ReviewJobState string

// States of jobs.
const (
	JobRunning   ReviewJobState = "running"
	JobDone      ReviewJobState = "done"
	JobFailed    ReviewJobState = "failed"
	JobCancelled ReviewJobState = "cancelled"
)

// ReviewJobStep is a step of a ReviewJob.
type ReviewJobStep string

// Steps of jobs.
const (
	StepHooks  ReviewJobStep = "hooks"  // a commit that runs hooks
	StepCommit ReviewJobStep = "commit" // a commit without hooks
	StepPush   ReviewJobStep = "push"
	StepPull   ReviewJobStep = "pull" // opens a pull request
)

// ReviewJob is a background job: a commit, a push or the opening of a pull request.
type ReviewJob struct {
	ID     string         `json:"id"`
	ChatID string         `json:"chatId"`
	State  ReviewJobState `json:"state"`
	Step   ReviewJobStep  `json:"step,omitempty"` // the current or last step; "" while the job waits for an earlier job
	// Output is the end of the output of Git and its hooks, at most MaxJobOutput bytes.
	Output  string        `json:"output"`
	Commit  *ReviewCommit `json:"commit,omitempty"` // set as soon as the commit exists, even if a later step fails
	Pushed  bool          `json:"pushed,omitempty"` // the branch was pushed, even if a later step fails
	URL     string        `json:"url,omitempty"`    // address of the pull request that the job has opened
	Message Message       `json:"message,omitzero"` // why the job failed
}

// MaxJobOutput is the maximum size of ReviewJob.Output in bytes.
const MaxJobOutput = 64 * 1024

// ReviewCommit is a commit that a job has made.
type ReviewCommit struct {
	SHA     string `json:"sha"`
	Short   string `json:"short"`
	Subject string `json:"subject"`
	Files   int    `json:"files,omitempty"` // number of changed files, as Git counts them; 0 if it is unknown
}

// ReviewPullRequest describes a pull request to open.
type ReviewPullRequest struct {
	Title string `json:"title"`
	Body  string `json:"body"`
	Base  string `json:"base,omitempty"` // branch to merge into; "" for the default branch
	Draft bool   `json:"draft,omitempty"`
}

// ReviewPullForm describes the pull request that could be opened for the current branch in a chat's folder.
type ReviewPullForm struct {
	Branch string `json:"branch"` // "" for a detached HEAD
	// Message is the reason why VoxPilot can't open the pull request. CompareURL is the page on which the user can
	// open it instead, or "" if there is no such page or VoxPilot can open the pull request.
	Message    Message `json:"message,omitzero"`
	CompareURL string  `json:"compareURL,omitempty"`
	// Bases lists the branches to merge into, at most MaxPullBases. Branches with the newest commits come first. Base
	// is the selected branch, or "" for the repository's default branch if its name is unknown.
	Bases []string `json:"bases"`
	Base  string   `json:"base"`
	// Title and Body are suggestions derived from the commits. If there are several commits, Title is the chat's title or,
	// if the chat has none, the branch's name as words. Body ends with the repository's template, if there is one.
	Title string `json:"title"`
	Body  string `json:"body"`
	// FromCommits reports whether Body contains text from the commits, and FromTemplate whether it contains text from the
	// template.
	FromCommits  bool `json:"fromCommits,omitempty"`
	FromTemplate bool `json:"fromTemplate,omitempty"`
	Commits      int  `json:"commits"` // number of commits that only the branch has; 0 if the base isn't available
	// Pushes reports whether the branch is pushed before the pull request is opened. Push is the number of commits that
	// this push sends.
	Pushes bool        `json:"pushes,omitempty"`
	Push   int         `json:"push"`
	Remote string      `json:"remote,omitempty"`
	Host   string      `json:"host,omitempty"`  // such as "github.com"
	Login  string      `json:"login,omitempty"` // account of the GitHub CLI, or "" if it is unknown
	Pull   *ReviewPull `json:"pull,omitempty"`  // the branch's open pull request, or nil if there is none
}

// MaxPullBases is the maximum number of branches in ReviewPullForm.Bases.
const MaxPullBases = 200

// ReviewPull describes the pull request of the current branch, if there is one.
type ReviewPull struct {
	// Available reports whether the GitHub CLI is installed and signed in. Otherwise, the user can only open the
	// compare page.
	Available bool          `json:"available"`
	Message   Message       `json:"message,omitzero"` // why GitHub gave no answer, such as a missing connection
	Number    int           `json:"number,omitempty"` // 0 if the branch has no pull request
	URL       string        `json:"url,omitempty"`
	Title     string        `json:"title,omitempty"`
	State     string        `json:"state,omitempty"` // "open", "merged" or "closed"
	Draft     bool          `json:"draft,omitempty"`
	Base      string        `json:"base,omitempty"`
	Checks    []ReviewCheck `json:"checks,omitempty"`
}

// ReviewCheck is a check of a pull request, such as a CI job.
type ReviewCheck struct {
	Name  string `json:"name"`
	State string `json:"state"` // "pending", "passed", "failed" or "skipped"
	URL   string `json:"url,omitempty"`
}
