import type { ApiErrorCode, TurnEvent } from "@incipit/schema";
import { createClient, statusByErrorCode, type Client } from "@incipit/transport-contract";

interface AnsweringHost {
  readonly client: Client;
  readonly requests: { readonly route: string; readonly body: unknown }[];
}

export function answeringHost(...answers: readonly unknown[]): AnsweringHost {
  const left = [...answers];
  const requests: AnsweringHost["requests"] = [];
  const url = "http://host.test";
  const client = createClient({
    url,
    token: "token",
    async fetch(address, { method = "GET", body }) {
      const route = `${method} ${address.slice(url.length)}`;
      requests.push({ route, body: typeof body === "string" ? JSON.parse(body) : undefined });
      if (left.length === 0) throw new Error(`No answer is left for ${route}`);
      const answer = left.shift();
      return answer instanceof Response ? answer : Response.json(answer);
    },
  });
  return { client, requests };
}

export function refusal(code: ApiErrorCode): Response {
  return Response.json({ error: { code, message: `refused with ${code}` } }, { status: statusByErrorCode[code] });
}

export interface TurnEventPart {
  readonly type: TurnEvent["type"];
  readonly [field: string]: unknown;
}

export function turn(
  events: readonly TurnEventPart[],
  { isCut = false, after = 0 }: { readonly isCut?: boolean; readonly after?: number } = {},
): Response {
  const common = { turnId: "01a1fcd7-5c9a-7556-afda-000000000007", at: "2026-01-01T00:00:00.000Z" };
  const texts = events.map(
    (event, index) => `data: ${JSON.stringify({ ...common, seq: after + index + 1, ...event })}\n\n`,
  );
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const text = texts.shift();
      if (text !== undefined) controller.enqueue(new TextEncoder().encode(text));
      else if (isCut) controller.error(new Error("it is gone"));
      else controller.close();
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}
