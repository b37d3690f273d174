// Package comment keeps the user's comments.
package comment
