// Package option reads the options of a session as an ACP agent declares them.
package option

import (
	"slices"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
)

// Parse converts an option that the agent declared. It returns false if the option has no ID or its type isn't
// supported.
func Parse(e gjson.Result) (o backend.ConfigOption, ok bool) {
	o = backend.ConfigOption{
		ID: e.Get("id").String(), Name: e.Get("name").String(), Description: e.Get("description").String(),
		Category: e.Get("category").String(), Type: backend.ConfigOptionType(e.Get("type").String()),
		Value: e.Get("currentValue").String(),
	}
	if o.Name == "" {
		o.Name = o.ID
	}
	switch o.Type {
	case backend.ConfigBoolean:
	case backend.ConfigSelect:
		o.Choices = choicesOf(e.Get("options"), "")
	default:
		return o, false
	}
	return o, o.ID != ""
}

// choicesOf parses the values of a select option, which can be grouped. group is the name of the group
// that list belongs to, or "".
func choicesOf(list gjson.Result, group string) (out []backend.Choice) {
	list.ForEach(func(_, e gjson.Result) bool {
		if inner := e.Get("options"); inner.IsArray() {
			name := e.Get("name").String()
			if name == "" {
				name = e.Get("group").String()
			}
			out = append(out, choicesOf(inner, name)...)
			return true
		}
		out = append(out, backend.Choice{
			ID: e.Get("value").String(), Name: e.Get("name").String(), Description: e.Get("description").String(), Group: group,
		})
		return true
	})
	return out
}

// Models converts a session's models to an option with the given ID. m declares the models in the form that ACP used
// before it had options.
func Models(id string, m gjson.Result) backend.ConfigOption {
	o := backend.ConfigOption{
		ID: id, Name: "Model", Category: CategoryModel, Type: backend.ConfigSelect,
		Value: m.Get("currentModelId").String(),
	}
	m.Get("availableModels").ForEach(func(_, e gjson.Result) bool {
		o.Choices = append(o.Choices, backend.Choice{
			ID: e.Get("modelId").String(), Name: e.Get("name").String(), Description: e.Get("description").String(),
		})
		return true
	})
	return o
}

// CategoryModel is ACP's category of the option that selects the model.
const CategoryModel = "model"

// Offers reports whether one of the choices has the given ID.
func Offers(choices []backend.Choice, id string) bool {
	return slices.ContainsFunc(choices, func(c backend.Choice) bool { return c.ID == id })
}
