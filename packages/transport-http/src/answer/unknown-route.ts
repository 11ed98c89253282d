/** OpenAI routes that are not supported. */
const alternativeByRoute: ReadonlyMap<string, string> = new Map([
  [
    "POST /v1/completions",
    "use POST /v1/chat/completions, which takes `messages`, and also a `prompt` as the message of the user",
  ],
]);

export function unknownRouteMessage({ method, path }: { readonly method: string; readonly path: string }): string {
  const route = `${method} ${path}`;
  const word = alternativeByRoute.get(route) ?? "GET /openapi.json lists the routes";
  return `There is no ${route}; ${word}`;
}
