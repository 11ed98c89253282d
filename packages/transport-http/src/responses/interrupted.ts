export const interrupted = {
  type: "failure",
  code: "interrupted",
  message: "The host, or a part of it, ended before the response did: nothing more comes of it; ask again",
} as const;
