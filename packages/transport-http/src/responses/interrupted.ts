/** How a response ends whose host was stopped, or killed, before its own end. */
export const interrupted = {
  type: "failure",
  code: "interrupted",
  message: "The host, or a part of it, ended before the response did: nothing more comes of it; ask again",
} as const;
