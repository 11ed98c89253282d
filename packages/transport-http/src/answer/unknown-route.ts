/** What to use in place of a route that clients of OpenAI know and this host has not. */
const wordByRoute: ReadonlyMap<string, string> = new Map([
  [
    "POST /v1/completions",
    "use POST /v1/chat/completions, which takes `messages`, and also a `prompt` as the message of the user",
  ],
]);

/** Says that nothing answers there, and what to do. */
export function unknownRouteMessage({ method, path }: { readonly method: string; readonly path: string }): string {
  const route = `${method} ${path}`;
  const word = wordByRoute.get(route) ?? "GET /openapi.json lists the routes";
  return `There is no ${route}; ${word}`;
}
