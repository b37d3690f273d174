package keychain_test

import "testing"

func TestKeychain_CredentialManagerStoresSecrets(t *testing.T) {
	if err := checkStoresSecrets(); err != nil {
		t.Error(err)
	}
}
