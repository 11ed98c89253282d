/** Follows a conversation with the browser's `EventSource`, which cannot send a token: the URL contains a ticket. */
import { createClient, type Client } from "@incipit/client";
import { turnEventSchema } from "@incipit/schema";
import { element, typed } from "./element.ts";

/** When a ticket has expired, such as after a restart of the host, it requests another one. */
async function follow(client: Client, { url, id, afterSeq }: Followed): Promise<void> {
  const { ticket } = await client.call("POST /tickets", { body: { conversationId: id } });
  const source = new EventSource(`${url}/conversations/${id}/events?ticket=${ticket}&after=${afterSeq}`);
  let newest = afterSeq;
  source.addEventListener("open", () => (element("state").textContent = "following"));
  for (const type of ["text-delta", "turn-end"])
    source.addEventListener(type, ({ data, lastEventId }) => {
      newest = Number(lastEventId);
      const event = turnEventSchema.parse(JSON.parse(String(data)));
      if (event.type === "text-delta") element("reply").append(event.text);
      if (event.type === "turn-end") element("reply").append(` [${event.status}] `);
    });
  source.addEventListener("error", () => {
    // While it reconnects, the ticket is still valid.
    element("state").textContent = source.readyState === EventSource.CLOSED ? "refused" : "away";
    if (source.readyState === EventSource.CLOSED) begin(client, { url, id, afterSeq: newest });
  });
}

interface Followed {
  readonly url: string;
  readonly id: string;
  /** The newest event of the page. */
  readonly afterSeq: number;
}

function begin(client: Client, followed: Followed): void {
  follow(client, followed).catch((error: unknown) => (element("state").textContent = String(error)));
}

element("follow").addEventListener("submit", (event) => {
  event.preventDefault();
  const url = typed("url");
  begin(createClient({ url, token: typed("token") }), { url, id: typed("conversation"), afterSeq: 0 });
});
