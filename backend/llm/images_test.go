package llm_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend/llm"
)

func TestImages_SentWithUserText(t *testing.T) {
	var got struct{ Messages []json.RawMessage }
	s := newModel(t, func(w http.ResponseWriter, r *http.Request) {
		if err := json.NewDecoder(r.Body).Decode(&got); err != nil {
			t.Error(err)
		}
		streamText(textDelta("A"), finishDelta("stop"))(w, r)
	})
	req := request(s)
	image := llm.Image{Mime: "image/png", Data: []byte{0, 1, 2}}
	req.Messages = []llm.Message{
		{Role: llm.RoleUser, Text: "Look", Images: []llm.Image{image, {Mime: "image/webp", Data: []byte{255}}}},
		{Role: llm.RoleUser, Images: []llm.Image{image}},
	}
	if _, _, failure := stream(t, t.Context(), req); failure != nil {
		t.Fatalf("failed: %+v", failure.Err)
	}
	for i, want := range []string{
		`{"role":"user","content":[{"type":"text","text":"Look"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AAEC"}},{"type":"image_url","image_url":{"url":"data:image/webp;base64,/w=="}}]}`,
		`{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,AAEC"}}]}`,
	} {
		var is, should any
		if err := json.Unmarshal(got.Messages[i], &is); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(want), &should); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(should, is); diff != "" {
			t.Errorf("message %d (-want +got):\n%s", i, diff)
		}
	}
}

func TestImages_UnsupportedModelNamed(t *testing.T) {
	for service, a := range map[string]http.HandlerFunc{
		"OpenAI":     respond(400, `{"error":{"message":"Invalid content type. image_url is only supported by certain models.","type":"invalid_request_error"}}`),
		"OpenRouter": respond(404, `{"error":{"message":"No endpoints found that support image input","code":404}}`),
		"llama.cpp":  respond(500, `{"error":{"code":500,"message":"image input is not supported - hint: if this is unexpected, you may need to provide the mmproj","type":"server_error"}}`),
		"vLLM":       respond(400, `{"object":"error","message":"At most 0 image(s) may be provided in one request.","code":400}`),
		"DeepSeek":   respond(400, "{\"error\":{\"message\":\"Failed to deserialize the JSON body: messages[0]: unknown variant `image_url`, expected `text`\"}}"),
		"Groq":       respond(400, `{"error":{"message":"'messages.0' : for 'role:user' the following must be satisfied[('messages.0.content' : value must be a string)]"}}`),
		"Ollama":     respond(400, `{"error":{"message":"this model does not support images"}}`),
	} {
		t.Run(service, func(t *testing.T) {
			req := request(newModel(t, a, a))
			req.Messages = []llm.Message{{Role: llm.RoleUser, Text: "Look", Images: []llm.Image{{Mime: "image/png", Data: []byte{0}}}}}
			_, _, failure := stream(t, t.Context(), req)
			if failure == nil || failure.Kind != llm.KindImages || !strings.HasPrefix(failure.Err.Message.String(), "m-1 doesn't accept images. Choose another model") {
				t.Fatalf("the failure is %+v", failure)
			}
			req.Messages[0].Images = nil
			if _, _, failure = stream(t, t.Context(), req); failure == nil || failure.Kind == llm.KindImages {
				t.Errorf("without an image it is %+v", failure)
			}
		})
	}
}
