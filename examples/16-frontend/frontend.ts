/** A page of your own: one conversation with the host, over its HTTP API alone. */
import { ApiClientError, createClient, routes, type Client } from "@incipit/transport-contract";

function element(id: string): HTMLElement {
  const found = document.querySelector<HTMLElement>(`#${id}`);
  if (found === null) throw new Error(`The page has no "${id}"`);
  return found;
}

function onSubmit(id: string, work: () => Promise<void>): void {
  element(id).addEventListener("submit", (event) => {
    event.preventDefault();
    work().catch((error: unknown) => (element("state").textContent = String(error)));
  });
}

function typed(name: string): string {
  return document.querySelector<HTMLInputElement>(`[name="${name}"]`)?.value ?? "";
}

onSubmit("connect", async () => {
  const client = createClient({ url: typed("url"), token: typed("token") });
  const { conversation } = await client.call(routes.createConversation, { body: {} });
  element("send").hidden = false;
  element("state").textContent = "connected";
  onSubmit("send", async () => {
    const turn = client.sendTurn(
      conversation.id,
      { input: typed("input") },
      { idempotencyKey: crypto.randomUUID() },
    );
    for await (const _ of turn) break; // The host has it: its events are followed below.
  });
  await follow(client, conversation.id);
});

/** Goes on behind the newest event that it has seen, also when the host was away. */
async function follow(client: Client, id: string): Promise<void> {
  for (let afterSeq = 0; ;) {
    try {
      for await (const event of client.followEvents(id, { afterSeq })) {
        afterSeq = event.seq;
        element("state").textContent = event.type === "turn-end" ? event.status : "running";
        if (event.type === "text-delta") element("reply").append(event.text);
        if (event.type === "approval-request") ask(client, id, event);
        if (event.type === "turn-end") {
          const { systemPrompt } = await client.call(routes.getConversationSystemPrompt, { params: { id } });
          element("told").textContent = systemPrompt;
        }
      }
    } catch (error) {
      if (!(error instanceof ApiClientError) || error.code !== "UNREACHABLE") throw error;
      element("state").textContent = "away";
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}

function ask(
  client: Client,
  id: string,
  { approvalId, name, input }: Readonly<Record<"approvalId" | "name" | "input", string>>,
): void {
  const buttons = (["allow", "deny"] as const).map((decision) => {
    const button = Object.assign(document.createElement("button"), { textContent: decision });
    const params = { id, approvalId };
    button.addEventListener("click", () => void client.call(routes.answerApproval, { params, body: { decision } }));
    return button;
  });
  element("approval").replaceChildren(`${name} ${input} `, ...buttons);
}
