/** A custom page: one conversation with the host over its HTTP API. */
import { createClient, type Client } from "@incipit/client";
import { element, typed } from "./element.ts";

function onSubmit(id: string, work: () => Promise<void>): void {
  element(id).addEventListener("submit", (event) => {
    event.preventDefault();
    work().catch((error: unknown) => (element("state").textContent = String(error)));
  });
}

onSubmit("connect", async () => {
  const client = createClient({
    url: typed("url"),
    token: typed("token"),
    onConnection: ({ isOpen }) => (element("state").textContent = isOpen ? "connected" : "away"),
  });
  const { conversation } = await client.call("POST /conversations", { body: {} });
  element("send").hidden = false;
  element("state").textContent = "connected";
  onSubmit("send", async () => {
    // Resumes after an outage of the host, and sends the message only once.
    for await (const event of client.sendTurn(conversation.id, { input: typed("input") })) {
      element("state").textContent = event.type === "turn-end" ? event.status : "running";
      if (event.type === "text-delta") element("reply").append(event.text);
      if (event.type === "approval-request") ask(client, conversation.id, event);
    }
    const params = { id: conversation.id };
    const { systemPrompt } = await client.call("GET /conversations/:id/system-prompt", { params });
    element("told").textContent = systemPrompt;
  });
});

function ask(
  client: Client,
  id: string,
  { approvalId, name, input }: Readonly<Record<"approvalId" | "name" | "input", string>>,
): void {
  const buttons = (["allow", "deny"] as const).map((decision) => {
    const button = Object.assign(document.createElement("button"), { textContent: decision });
    const answer = { params: { id, approvalId }, body: { decision } };
    button.addEventListener(
      "click",
      () => void client.call("POST /conversations/:id/approvals/:approvalId", answer),
    );
    return button;
  });
  element("approval").replaceChildren(`${name} ${input} `, ...buttons);
}
