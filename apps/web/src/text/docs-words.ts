/** What the description of the HTTP API says beside what the host describes itself. */
export const docsWords = {
  title: "HTTP API",
  version: (version: string) => `Version ${version}`,
  document: "openapi.json",
  documentNote: "is the same for programs: generators make types and clients from it.",
  sections: "Sections",
  find: "Find a route",
  found: (count: number) => (count === 1 ? "1 route" : `${count} routes`),
  noneFound: "No route has these letters in its path or its words.",
  open: "open",
  openWords: "Needs no token",
  scopeWords: (scope: string) =>
    scope === "owner" ? "Needs the host's own token" : `Needs a token with the scope "${scope}"`,
  curl: "With curl",
  curlNote: "Set TOKEN to a token, and what the address has in capitals to what you mean.",
  parameters: "Parameters",
  parameter: (place: string, type: string, isRequired: boolean) =>
    `${type} in the ${place}${isRequired ? ", required" : ""}`,
  body: "Body",
  answer: (status: string) => `Answer ${status}`,
  event: "Each event",
  example: "Example",
  shapes: "Shapes",
  shapesIntro: "What several routes take or answer, in the notation of TypeScript.",
  shapesUsed: "Shapes in it:",
  events: "Events",
  eventsIntro:
    "What comes in a stream: its number in the conversation, its type, and its data, which has the type again. A host of a newer version may send types that are not here; leave them out.",
  eventsExample: "One event, as it is sent",
  errors: "Errors",
  errorsIntro: "Every error has one shape. Its code is stable; its message is for people and may change.",
  otherErrors: "Any other status: an error of the same shape",
} as const;
