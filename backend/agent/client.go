package agent

import acp "github.com/coder/acp-go-sdk"

// methodPermission is the only request that is answered. The file system and
// terminals are not offered to agents, so that they use their own.
const methodPermission = acp.ClientMethodSessionRequestPermission
