export const interrupted = {
  type: "failure",
  code: "interrupted",
  message: "The host or an extension stopped before the response was complete: send the request again",
} as const;
