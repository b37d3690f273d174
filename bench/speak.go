package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"
)

// scriptVar makes this program the agent of the benchmarks. Its value is the
// script by which a prompt is answered, one of the names below and a number of
// updates. Both sides of a bench start it, so both read the same bytes from the
// same kind of process.
const scriptVar = "VOXPILOT_BENCH_SCRIPT"

// The scripts.
const (
	flood = "flood " // turn, as fast as it is read
	paced = "paced " // chunks, one each millisecond
)

// greeting is a prompt that is answered at once with one piece of text, so that
// what is measured after it has been through everything once.
const greeting = "hello"

// pace is the time from one update of a paced script to the next.
const pace = time.Millisecond

// scriptNamed is the script that a name stands for, and the time from one of
// its updates to the next.
func scriptNamed(name string) (s *script, every time.Duration, err error) {
	kind, count, _ := strings.Cut(name, " ")
	n, err := strconv.Atoi(count)
	switch {
	case err == nil && kind+" " == flood:
		return turn(n), 0, nil
	case err == nil && kind+" " == paced:
		return chunks(n), pace, nil
	}
	return nil, 0, fmt.Errorf("there is no script %q", name)
}

// speakIfAsked is the agent of the benchmarks, where this process is to be it.
//
// It is not the fake agent of the tests, which renders what it says as it says
// it: here the lines exist before the prompt comes, so that the agent takes as
// little as can be from the cores that those who read it need.
func speakIfAsked() {
	name := os.Getenv(scriptVar)
	if name == "" {
		return
	}
	s, every, err := scriptNamed(name)
	if err == nil {
		err = speak(os.Stdin, os.Stdout, s, every)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench: the agent:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// speak answers requests from in until it ends.
func speak(in io.Reader, out io.Writer, s *script, every time.Duration) error {
	hello := chunks(1).lines[0]
	requests := bufio.NewReader(in)
	for {
		line, err := requests.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		m := gjson.ParseBytes(line)
		id := m.Get("id").Raw
		if id == "" {
			continue // a notification
		}
		answer := `"error":{"code":-32601,"message":"Method not found"}`
		switch m.Get("method").Str {
		case "initialize":
			answer = `"result":{"protocolVersion":1,"agentInfo":{"name":"bench","version":"1.0.102"},"agentCapabilities":{"loadSession":true}}`
		case "session/new":
			answer = fmt.Sprintf(`"result":{"sessionId":%q}`, sessionID)
		case "session/prompt":
			answer = `"result":{"stopReason":"end_turn"}`
			switch {
			case m.Get("params.prompt.#(type==text).text").Str == greeting:
				_, err = out.Write(hello)
			default:
				err = tell(out, s.lines, every)
			}
		}
		if err == nil {
			_, err = fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,%s}`+"\n", id, answer)
		}
		if err != nil {
			return err
		}
	}
}

// tell writes line by line, as agents do, each at its time where they have one.
// Times count from the first line, so that a late line does not make all that
// follow it late.
func tell(out io.Writer, lines [][]byte, every time.Duration) error {
	started := time.Now()
	for i, line := range lines {
		if every > 0 {
			time.Sleep(time.Until(started.Add(time.Duration(i) * every)))
		}
		if _, err := out.Write(line); err != nil {
			return err
		}
	}
	return nil
}
