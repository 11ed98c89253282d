/** Follows a conversation with the browser's own `EventSource`, which can send no token: a ticket stands in its address. */
import { createClient, type Client } from "@incipit/client";
import { turnEventSchema } from "@incipit/schema";
import { element, typed } from "./element.ts";

/** Where one ticket is over, as when the host was started again, it goes on with another one. */
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
    // While it connects again by itself, the ticket is still good.
    element("state").textContent = source.readyState === EventSource.CLOSED ? "refused" : "away";
    if (source.readyState === EventSource.CLOSED) begin(client, { url, id, afterSeq: newest });
  });
}

interface Followed {
  readonly url: string;
  readonly id: string;
  /** The newest event that the page has. */
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
