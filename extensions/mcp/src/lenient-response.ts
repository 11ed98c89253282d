import { plainObject } from "@incipit/common";
import { shownBody } from "@incipit/common/http";
import type { OpenRequests } from "@incipit/common/programs";

type Id = string | number;

export interface LenientOptions {
  readonly open: OpenRequests;
  readonly request: Id | undefined;
  /** Whether the answer may still arrive in another stream. */
  readonly isHeardElsewhere: boolean;
}

const json = { "content-type": "application/json" };

/** Detects the type by content. A missing answer fails the request with the reason. */
export async function lenientResponse(response: Response, options: LenientOptions): Promise<Response> {
  const { request } = options;
  if (!response.ok) return response;
  if (isEventStream(response)) return lenientEvents(response, options.open);
  if (request === undefined) return response;
  const text = await response.text();
  const { headers } = response;
  if (/^(?:event|data|id|retry)?:/.test(text.trimStart())) {
    const events = new Response(`${text}\n\n`, {
      headers: { ...withoutType(headers), "content-type": "text/event-stream" },
    });
    return lenientEvents(events, options.open);
  }
  const messages = messagesOf(text, response, { ...options, request });
  if (messages === undefined) return new Response(null, { status: 202, headers: withoutType(headers) });
  return new Response(JSON.stringify(messages), { headers: { ...withoutType(headers), ...json } });
}

export function isEventStream({ headers }: Response): boolean {
  return headers.get("content-type")?.toLowerCase().includes("text/event-stream") === true;
}

function withoutType(headers: Headers): Record<string, string> {
  const {
    "content-type": _,
    "content-length": __,
    "content-encoding": ___,
    ...others
  } = Object.fromEntries(headers);
  return others;
}

function messagesOf(
  text: string,
  { status, headers }: Response,
  { open, request, isHeardElsewhere }: LenientOptions & { readonly request: Id },
): readonly unknown[] | undefined {
  const type = headers.get("content-type") ?? "no content type";
  if (text.trim() === "") {
    if (isHeardElsewhere) return undefined;
    return [open.fail(request, `with HTTP status ${status} and no answer`)];
  }
  let messages: readonly unknown[];
  try {
    messages = open.read(JSON.parse(text));
  } catch {
    const beginning = shownBody(text);
    return [
      open.fail(request, `with a body that is not an MCP message (HTTP status ${status}, ${type}): ${beginning}`),
    ];
  }
  if (!open.isWaiting(request)) return messages;
  return [...messages, open.fail(request, "with messages that do not answer it")];
}

/** Parses server-sent events; the last one needs no trailing blank line. */
export function lenientEvents(response: Response, open: OpenRequests): Response {
  if (response.body === null) return response;
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let rest = "";
  const events = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      rest += decoder.decode(chunk, { stream: true });
      const parts = rest.split("\n\n");
      rest = parts.pop() ?? "";
      for (const part of parts) controller.enqueue(encoder.encode(lenientEvent(part, open)));
    },
    flush(controller) {
      rest += decoder.decode();
      if (rest.trim() !== "") controller.enqueue(encoder.encode(lenientEvent(rest, open)));
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(events), { status, statusText, headers });
}

function lenientEvent(event: string, open: OpenRequests): string {
  const lines = event.split("\n");
  const isBare = /^\s*[[{]/.test(event);
  const data = isBare
    ? event
    : lines.flatMap((line) => (line.startsWith("data:") ? [line.slice(line[5] === " " ? 6 : 5)] : [])).join("\n");
  if (data.trim() === "") return `${event}\n\n`;
  const kept = isBare ? "" : lines.flatMap((line) => (/^(?:id|retry):/.test(line) ? [`${line}\n`] : [])).join("");
  const messages = messagesIn(data, open);
  const [first = "", ...others] = messages.map((message) => `data: ${JSON.stringify(message)}\n\n`);
  return first === "" ? `${kept}:\n\n` : [kept, first, ...others].join("");
}

function messagesIn(data: string, open: OpenRequests): readonly unknown[] {
  try {
    return open.read(JSON.parse(data.trim())); // A byte order mark counts as white space.
  } catch (error) {
    return error instanceof SyntaxError ? open.readBroken(data) : [];
  }
}

export function requestIdOf(body: unknown): Id | undefined {
  if (typeof body !== "string") return undefined;
  const { id, method } = plainObject(JSON.parse(body)) ?? {};
  if (typeof method !== "string") return undefined;
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}
