package sessionfiles

const openFlags = 0
