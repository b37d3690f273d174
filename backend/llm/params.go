package llm

import (
	"encoding/base64"
	"encoding/json"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/shared"
)

// params is a request as the library wants it.
func params(req Request, usage bool) openai.ChatCompletionNewParams {
	p := openai.ChatCompletionNewParams{Model: req.Provider.Model}
	for _, m := range req.Messages {
		p.Messages = append(p.Messages, message(m))
	}
	for _, t := range req.Tools {
		p.Tools = append(p.Tools, openai.ChatCompletionFunctionTool(shared.FunctionDefinitionParam{
			Name: t.Name, Description: openai.String(t.Description), Parameters: schema(t.Schema),
		}))
	}
	if usage {
		p.StreamOptions.IncludeUsage = openai.Bool(true)
	}
	return p
}

func message(m Message) openai.ChatCompletionMessageParamUnion {
	switch m.Role {
	case RoleSystem:
		return openai.SystemMessage(m.Text)
	case RoleTool:
		return openai.ToolMessage(m.Text, m.CallID)
	case RoleAssistant:
		var a openai.ChatCompletionAssistantMessageParam
		if m.Text != "" || len(m.Calls) == 0 {
			a.Content.OfString = openai.String(m.Text)
		}
		for _, c := range m.Calls {
			call := &openai.ChatCompletionMessageFunctionToolCallParam{ID: c.ID}
			call.Function.Name, call.Function.Arguments = c.Name, c.Arguments
			if !json.Valid([]byte(c.Arguments)) {
				// Some services read what they wrote themselves, and refuse the
				// whole conversation for it. The model is told with the result.
				call.Function.Arguments = "{}"
			}
			a.ToolCalls = append(a.ToolCalls, openai.ChatCompletionMessageToolCallUnionParam{OfFunction: call})
		}
		if m.Reasoning != "" {
			a.SetExtraFields(map[string]any{"reasoning_content": m.Reasoning})
		}
		return openai.ChatCompletionMessageParamUnion{OfAssistant: &a}
	default:
		if len(m.Images) == 0 {
			return openai.UserMessage(m.Text)
		}
		var parts []openai.ChatCompletionContentPartUnionParam
		if m.Text != "" {
			parts = append(parts, openai.TextContentPart(m.Text))
		}
		for _, image := range m.Images {
			parts = append(parts, openai.ImageContentPart(openai.ChatCompletionContentPartImageImageURLParam{
				URL: "data:" + image.Mime + ";base64," + base64.StdEncoding.EncodeToString(image.Data),
			}))
		}
		return openai.UserMessage(parts)
	}
}

// schema is a JSON schema as the library wants it. One that says nothing is
// that of a tool without arguments: some services want one with each.
func schema(raw json.RawMessage) shared.FunctionParameters {
	var s shared.FunctionParameters
	if json.Unmarshal(raw, &s) != nil || len(s) == 0 {
		s = shared.FunctionParameters{"type": "object", "properties": map[string]any{}}
	}
	return s
}
