// Words of the transcript, the composer, permission requests and banners.

export const chat = {} as const;
