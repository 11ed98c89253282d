/** Where the host names a route that lists what there is, the command that does; a person has no token at hand. */
const commandOfRoute: readonly (readonly [route: string, command: string])[] = [
  ["GET /conversations lists them", '"incipit conversations" lists them'],
  ["GET /system-prompt/versions lists them", '"incipit prompt versions" lists them'],
  [
    "GET /conversations/ID/steps lists those of a conversation",
    'write the ID of a conversation, which "incipit conversations" lists, for its last one',
  ],
];

/** What a person is told of a failure: what was wrong and what to do, with the code when it has one. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return hanging(String(error));
  const code = "code" in error && typeof error.code === "string" ? ` [${error.code}]` : "";
  const message = commandOfRoute.reduce((text, [route, command]) => text.replace(route, command), error.message);
  return hanging(`${message}${code}`);
}

/** What follows a line break is set in: a vendor or an extension begins no line of the command's. */
export function hanging(text: string): string {
  return text.replaceAll("\n", "\n  ");
}
