import { toFilename, type CreateTurnRequest } from "@incipit/schema";
import type { Client } from "./client.ts";
import type { RouteAnswer } from "./typed-route.ts";
import { ApiClientError } from "./http/api-client-error.ts";
import { routes } from "./routes.ts";

type Input = CreateTurnRequest["input"];
type InputPart = Exclude<Input, string>[number];

/** An MCP resource mentioned in a message. */
export interface NamedResource {
  readonly server: string;
  readonly uri: string;
}

/** Must fit into a request of 8 MiB with the rest of the message, with files in base64. */
const maxBytes = 5 * 1_048_576;
const maxNamed = 20;

/** At the start of a word or after an opening quote or bracket, without trailing sentence punctuation. */
const pattern =
  /(?<=^|[\s("'`[{<])@([A-Za-z0-9_-]{1,32}):([A-Za-z][A-Za-z0-9+.-]*:\/\/[^\s"'`<>]*[^\s"'`<>.,;:!?)\]}])/g;

/** Finds `@SERVER:SCHEME://…` in a text, each once. The format excludes email addresses and package names. */
export function namedResources(text: string): readonly NamedResource[] {
  const byWord = new Map<string, NamedResource>();
  for (const [word, server = "", uri = ""] of text.matchAll(pattern)) byWord.set(word, { server, uri });
  return [...byWord.values()];
}

/**
 * Prepends the mentioned resources to a message, like attached files. Mentions of unknown servers remain text.
 * @param typed Text written by the user, which is the only part searched.
 * @throws {ApiClientError} `RESOURCE_UNKNOWN` and `TOOL_SERVER_FAILED` of the host; `BODY_TOO_LARGE` if too large
 * to send.
 */
export async function withNamedResources(
  input: Input,
  {
    client,
    typed,
    conversationId,
  }: { readonly client: Client; readonly typed: string; readonly conversationId: string },
): Promise<Input> {
  const words = namedResources(typed);
  if (words.length === 0) return input;
  const servers = new Set(await serverNames(client));
  const named = words.filter(({ server }) => servers.has(server));
  if (named.length === 0) return input;
  if (named.length > maxNamed)
    throw tooMuch(`names ${named.length} resources, and at most ${maxNamed} can be sent`);
  const parts: InputPart[] = [];
  let sizeBytes = 0;
  for (const { server, uri } of named) {
    const body = { uri, conversationId };
    const { contents } = await client.call(routes.readResource, { params: { name: server }, body });
    for (const content of contents) {
      const { length } = content.type === "text" ? new TextEncoder().encode(content.text) : content.data;
      sizeBytes += length;
      parts.push(partOf(server, content));
    }
    if (sizeBytes > maxBytes) throw tooMuch(`names resources of more than ${maxBytes} bytes together`);
  }
  return [...parts, ...(typeof input === "string" ? [{ type: "text", text: input } as const] : input)];
}

async function serverNames(client: Client): Promise<readonly string[]> {
  try {
    return (await client.call(routes.listToolServers)).servers.map(({ name }) => name);
  } catch (error) {
    // A token without access to the servers cannot mention any.
    if (error instanceof ApiClientError && error.code === "FORBIDDEN_SCOPE") return [];
    throw error;
  }
}

type Content = RouteAnswer<typeof routes.readResource>["contents"][number];

function partOf(server: string, content: Content): InputPart {
  const { uri, mediaType } = content;
  if (content.type === "file") {
    const [, name] = /([^/\\?#]{1,255})[?#]?[^/]*$/u.exec(uri) ?? [];
    const filename = name === undefined ? undefined : toFilename(name);
    return {
      type: "file",
      mediaType: content.mediaType,
      data: content.data,
      ...(filename === undefined ? {} : { filename }),
    };
  }
  const type = mediaType === null ? "" : ` (${mediaType})`;
  return { type: "text", text: `@${server}:${uri}${type}:\n\n${content.text}\n\n` };
}

function tooMuch(what: string): ApiClientError {
  return new ApiClientError("BODY_TOO_LARGE", `The message ${what}; nothing was sent`, { status: 413 });
}
