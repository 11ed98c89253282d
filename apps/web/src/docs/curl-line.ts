import type { Operation } from "./api-document.ts";

/** Token and path parameters are shell variables. */
export function curlLine(
  { method, path, requestBody, responses, security, parameters }: Operation,
  origin: string,
): string {
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${inCapitals(name)}`);
  const query = parameters
    .filter(({ in: place, required }) => place === "query" && required)
    .map(({ name }) => `${name}=$${inCapitals(name)}`);
  const url = `${origin}${address}${query.length === 0 ? "" : `?${query.join("&")}`}`;
  const isStream = Object.values(responses).some(
    (answer) => "content" in answer && "text/event-stream" in answer.content,
  );
  const [[type, body] = ["", undefined]] = Object.entries(requestBody?.content ?? {});
  return [
    `curl${isStream ? " --no-buffer" : ""}${method === "GET" ? "" : ` --request ${method}`} "${url}"`,
    ...(security.length === 0 ? [] : ['--header "Authorization: Bearer $TOKEN"']),
    ...(body === undefined
      ? []
      : [`--header "Content-Type: ${type}"`, `--data-binary ${quoted(textOf(body.example))}`]),
  ].join(" \\\n  ");
}

function inCapitals(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

function textOf(example: unknown): string {
  return typeof example === "string" ? example : JSON.stringify(example ?? {});
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
