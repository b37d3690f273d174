package sandbox

// unmask shows a nested command what is masked for the agent.
func (a *Agent) unmask(m *mounts) error {
	for path, from := range a.real {
		if err := m.protect(path); err != nil {
			return err
		}
		if m.places[path].mount != masked {
			m.places[path] = place{protected, from}
		}
	}
	return nil
}
