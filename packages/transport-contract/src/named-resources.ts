import { toFilename, type CreateTurnRequest } from "@incipit/schema";
import type { Client, RouteAnswer } from "./client.ts";
import { ApiClientError } from "./http/api-client-error.ts";
import { routes } from "./routes.ts";

type Input = CreateTurnRequest["input"];
type InputPart = Exclude<Input, string>[number];

/** A resource that somebody names in what they write. */
export interface NamedResource {
  readonly server: string;
  readonly uri: string;
}

/** With the rest of the message it has to fit into a request of 8 MiB, files in base64. */
const maxBytes = 5 * 1_048_576;
const maxNamed = 20;

/** Begins a word, or stands behind what opens a quotation; the punctuation of the sentence is no part of it. */
const pattern =
  /(?<=^|[\s("'`[{<])@([A-Za-z0-9_-]{1,32}):([A-Za-z][A-Za-z0-9+.-]*:\/\/[^\s"'`<>]*[^\s"'`<>.,;:!?)\]}])/g;

/** `@SERVER:SCHEME://…` in a text, each once: no address of a person, and no name of a package, is written so. */
export function namedResources(text: string): readonly NamedResource[] {
  const byWord = new Map<string, NamedResource>();
  for (const [word, server = "", uri = ""] of text.matchAll(pattern)) byWord.set(word, { server, uri });
  return [...byWord.values()];
}

/**
 * The message with what is named in it in front, as attached files are; what names no server of the configuration is text.
 * @param typed What a person has written of the message: nothing else is looked at.
 * @throws {ApiClientError} the host's `RESOURCE_UNKNOWN` and `TOOL_SERVER_FAILED`; `BODY_TOO_LARGE` for more than can be sent.
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
    // Whoever may not see the servers names none.
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
