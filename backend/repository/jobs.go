package repository

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

// maxEnded is the maximum number of finished jobs that are kept, so that a page that loads later can show them.
const maxEnded = 10

// job is a task that runs in the background: a commit, a push or the opening of a pull request.
type job struct {
	m      *Manager
	cancel context.CancelFunc
	done   chan struct{} // closed when the job has ended
	output tail
	wake   chan struct{} // receives a value when output has changed

	mu   sync.Mutex // also keeps the job's events in order
	info backend.ReviewJob
}

// start starts a job that calls the function do, and returns the job's ID. The jobs of one repository run one after
// another.
func (m *Manager) start(r *repo, do func(ctx context.Context, j *job) error) (string, error) {
	j := &job{m: m, done: make(chan struct{}), wake: make(chan struct{}, 1), info: backend.ReviewJob{ID: backend.NewID(), ChatID: r.chat.ID, State: backend.JobRunning}}
	j.output = tail{most: backend.MaxJobOutput, changed: func() {
		select {
		case j.wake <- struct{}{}:
		default:
		}
	}}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return "", &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("VoxPilot is closing.")}
	}
	var ctx context.Context
	ctx, j.cancel = context.WithCancel(m.life)
	before := m.last[r.Dir]
	m.last[r.Dir], m.byID[j.info.ID] = j.done, j
	j.publish()
	m.jobs.Go(func() {
		if before != nil {
			select {
			case <-before:
			case <-ctx.Done():
			}
		}
		stop := j.follow()
		err := ctx.Err()
		if err == nil {
			err = do(ctx, j)
		}
		stop()
		m.finish(r, j, err)
	})
	return j.info.ID, nil
}

// finish publishes the end of a job and removes the job from the running ones. The job was successful if err is nil.
func (m *Manager) finish(r *repo, j *job, err error) {
	j.change(func(info *backend.ReviewJob) {
		switch {
		case err == nil:
			info.State = backend.JobDone
		case errors.Is(err, context.Canceled):
			info.State = backend.JobCancelled
		default:
			failure := backend.AsError(err)
			info.State, info.Message = backend.JobFailed, failure.Message
			m.cfg.Log.Warn("a commit or push failed", "chat", r.chat.ID, "step", info.Step, "err", err, "detail", failure.Detail)
		}
	})
	j.cancel()
	m.mu.Lock()
	delete(m.byID, j.info.ID)
	if m.last[r.Dir] == (<-chan struct{})(j.done) {
		delete(m.last, r.Dir)
	}
	m.ended = append(m.ended, j.info.ID)
	var drop string
	if len(m.ended) > maxEnded {
		drop, m.ended = m.ended[0], m.ended[1:]
	}
	m.mu.Unlock()
	if drop != "" {
		m.cfg.Publish(backend.Event{ReviewJobDeleted: &backend.Deleted{ID: drop}})
	}
	close(j.done)
}

// Cancel cancels a job and ends the programs that it has started, such as git and its hooks. It does nothing if the job
// has ended.
func (m *Manager) Cancel(id string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if j := m.byID[id]; j != nil {
		j.cancel()
	}
}

// follow publishes the output of the job whenever it has grown, until stop is called.
func (j *job) follow() (stop func()) {
	ended, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-ended:
				return
			case <-j.wake:
			}
			j.publish()
			select {
			case <-ended:
				return
			case <-time.After(j.m.every):
			}
		}
	}()
	return func() {
		close(ended)
		<-stopped
	}
}

// publish publishes the current state of the job.
func (j *job) publish() { j.change(func(*backend.ReviewJob) {}) }

// change calls the function do, which changes the job's info, and then publishes the job.
func (j *job) change(do func(info *backend.ReviewJob)) {
	j.mu.Lock()
	defer j.mu.Unlock()
	do(&j.info)
	j.info.Output = j.m.cfg.Redact(j.output.String())
	now := j.info
	j.m.cfg.Publish(backend.Event{ReviewJob: &now})
}

func (j *job) step(step backend.ReviewJobStep) {
	j.change(func(info *backend.ReviewJob) { info.Step = step })
}

// run runs the program p for the job. All output is added to the job's output, except for standard output if p.stdout
// is set. run returns the exit code and the end of the added output.
func (j *job) run(ctx context.Context, p program) (code int, output string, err error) {
	own := &tail{most: backend.MaxJobOutput}
	p.output = both{own, &j.output}
	code, err = p.run(ctx)
	return code, own.String(), err
}

// both is a writer that writes to two tails. It never returns an error.
type both [2]*tail

func (b both) Write(p []byte) (int, error) {
	_, _ = b[0].Write(p)
	return b[1].Write(p)
}
