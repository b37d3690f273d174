package otherprograms

const openFlags = 0
