package repository_test

func childCommit(string) {}
