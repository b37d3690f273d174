// Package practice is a model without a model: an OpenAI-compatible server on
// the loopback interface that answers by a script. Practice mode runs the real
// Copilot CLI on it, so that a person without an account can try everything;
// tests drive the CLI with it.
package practice
