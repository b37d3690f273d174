package agent_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/copilot"
	"github.com/voxpilot/voxpilot/internal/need"
)

// fakeServers stands in for the GitHub and Copilot servers in tests of a CLI that has
// its own login.
type fakeServers struct {
	*httptest.Server
	models atomic.Int32 // HTTP status of /models; 0 aborts the connection
}

func newFakeServers(t *testing.T) *fakeServers {
	t.Helper()
	s := &fakeServers{}
	s.models.Store(http.StatusOK)
	answers := map[string]string{
		"/login/device/code":        `{"device_code":"device","user_code":"7K4P-QX2M","interval":1,"expires_in":900,"verification_uri":"https://github.test/login/device"}`,
		"/login/oauth/access_token": `{"access_token":"gho_theclisown","token_type":"bearer"}`,
		"/copilot_internal/user":    `{"login":"octocat","copilot_plan":"individual","chat_enabled":true,"endpoints":{"api":"$URL","proxy":"$URL","telemetry":"$URL"}}`,
		"/models":                   `{"data":[{"id":"scripted-1","name":"Scripted","object":"model","vendor":"v","version":"1","model_picker_enabled":true,"capabilities":{"family":"scripted","object":"model_capabilities","type":"chat","tokenizer":"o200k_base","limits":{"max_context_window_tokens":128000,"max_output_tokens":4096,"max_prompt_tokens":120000},"supports":{"streaming":true,"tool_calls":true}}}]}`,
	}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/models":
			status := int(s.models.Load())
			if status == 0 {
				panic(http.ErrAbortHandler)
			}
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
		case "/chat/completions":
			var body struct{ Messages json.RawMessage }
			_ = json.NewDecoder(r.Body).Decode(&body)
			w.Header().Set("Content-Type", "text/event-stream")
			said := fmt.Sprintf("%d messages of yours", strings.Count(string(body.Messages), "Do it."))
			fmt.Fprintf(w, "data: {\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"scripted-1\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":%q},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n", said)
			return
		default:
			w.Header().Set("Content-Type", "application/json")
		}
		answer, ok := answers[r.URL.Path]
		if !ok {
			answer = "{}"
		}
		_, _ = w.Write([]byte(strings.ReplaceAll(answer, "$URL", "http://"+r.Host)))
	}))
	t.Cleanup(s.Close)
	return s
}

// signedInCLI returns a function that logs the Copilot CLI in to the fake servers and
// returns a Launch that starts it.
func signedInCLI(t *testing.T, s *fakeServers) func(w *env) agent.Launch {
	t.Helper()
	if os.Getenv("VOXPILOT_DESKTOP") != "private" {
		need.Missing(t, "the CLI puts its token into the keychain: run it by build/withx.sh")
	}
	cli := copilotCLI(t)
	return func(w *env) agent.Launch {
		l := agent.Launch{Path: cli, Args: copilot.Args(), Env: cliEnv(w.home), Home: w.home}
		if login, _ := copilot.CLILogin(w.home); login == "" {
			if err := copilot.Login(t.Context(), cli, []string{"login", "--device-code", "--host", s.URL}, l.Env, func(string) {}); err != nil {
				t.Error(err)
			}
		}
		return l
	}
}

func TestCopilot_BrokenServersLoseNoSession(t *testing.T) {
	for _, status := range []int{http.StatusInternalServerError, 0} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			s := newFakeServers(t)
			launch := signedInCLI(t, s)
			w := newEnv(t, launch, nil)
			w.promptAndExpect("Do it.", backend.TurnDone)
			id := w.session().ACPID
			w.close()
			s.models.Store(int32(status))
			w.open(launch, nil)
			r := w.expectEnd(w.start(backend.SessionMain, "Do it."), backend.TurnFailed)
			if r.Err == nil || !regexp.MustCompile(`couldn't get a response from its servers`).MatchString(r.Err.Message.String()) {
				t.Errorf("the error is %v", r.Err)
			}
			s.models.Store(http.StatusOK)
			tu := w.promptAndExpect("Do it.", backend.TurnDone)
			equal(t, "said", w.answerText(tu), "2 messages of yours")
			equal(t, "session", w.session().ACPID, id)
			w.close()
		})
	}
}

func TestCopilot_RefusedTokenNeedsSignIn(t *testing.T) {
	s := newFakeServers(t)
	launch := signedInCLI(t, s)
	w := newEnv(t, launch, nil)
	w.promptAndExpect("Do it.", backend.TurnDone)
	id := w.session().ACPID
	w.close()
	s.models.Store(http.StatusUnauthorized)
	w.open(launch, nil)
	tu := w.start(backend.SessionMain, "Do it.")
	equal(t, "cause", w.waitForState(backend.ConnectionNeedsLogin).Cause, backend.CauseNotSignedIn)
	equalDeep(t, "told of the turn", w.sentAt(tu), []bool(nil))
	s.models.Store(http.StatusOK)
	w.agent.Retry()
	w.expectEnd(tu, backend.TurnDone)
	equal(t, "said", w.answerText(tu), "2 messages of yours")
	equal(t, "session", w.session().ACPID, id)
	w.close()
}
