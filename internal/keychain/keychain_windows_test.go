package keychain_test

import "testing"

func TestTheCredentialManagerKeepsSecrets(t *testing.T) {
	if err := keepsSecrets(); err != nil {
		t.Error(err)
	}
}
