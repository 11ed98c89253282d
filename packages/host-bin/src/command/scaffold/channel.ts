import type { ScaffoldKind } from "./scaffold-kind.ts";

const address = "127.0.0.1:8090";

export const channelScaffold: ScaffoldKind = {
  gives: ({ name }) => `the channel "${name}", to a service at ${address}`,
  manifest: () => ({ capabilities: { net: [`private:${address}`] }, contributes: ["channels@1"] }),
  code: ({ name }) => ({
    "src/index.ts": `import { defineExtension } from "@incipit/kernel";
import { channelsPoint } from "@incipit/service-contract";
import { receive } from "./receive.ts";
import { sendMessage } from "./send-message.ts";
import packageJson from "../package.json";

/** Maximum characters of one message. */
const maxLength = 4_000;

/** Address of the service; "capabilities.net" in package.json must include it. */
const service = "http://${address}";

/** Connects your messaging service to the host, which authorizes senders and handles their messages. */
export default defineExtension(packageJson, (host) => {
  host.contribute(channelsPoint, {
    id: "${name}",
    // No sender is authorized yet: "incipit channels pair ${name}" pairs one.
    settings: {
      people: [],
      groups: [],
      model: undefined,
      profile: undefined,
      cwd: undefined,
      approvers: undefined,
    },
    maxFileBytes: { out: 0, in: 0 },
    run: (inbox, signal) => receive(inbox, { service, net: host.net, clock: host.clock, signal }),
    // A code fence across two parts is not closed and reopened; a service that renders Markdown needs that.
    split: (markdown) => markdown.match(new RegExp(\`[^]{1,\${maxLength}}\`, "gu")) ?? [],
    send: (chat, message, signal) => sendMessage(message, { chat, service, net: host.net, signal }),
  });
});
`,
    "src/receive.ts": `import { waitUnlessAborted, type Clock, type Net } from "@incipit/kernel";
import type { ChannelInbox } from "@incipit/service-contract";
import * as z from "zod";

const waitMs = 60_000;
const againMs = 2_000;

/** Response of the service: updates after the requested id. */
const updatesSchema = z.array(z.object({ id: z.int(), person: z.string(), text: z.string() }));

export interface ReceiveOptions {
  readonly service: string;
  readonly net: Net;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Polls the service for messages until the signal aborts, and retries after errors. */
export async function receive(inbox: ChannelInbox, { service, net, clock, signal }: ReceiveOptions): Promise<void> {
  let after = 0;
  while (!signal.aborted) {
    try {
      const url = \`\${service}/updates?after=\${after}\`;
      const response = await net.fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(waitMs)]) });
      if (!response.ok) throw new Error(\`\${service} answers with \${response.status}\`);
      const updates = updatesSchema.parse(await response.json());
      inbox.report({ kind: "up", account: service });
      for (const { id, person, text } of updates) {
        await inbox.receive({
          kind: "message",
          updateId: String(id),
          messageId: String(id),
          chat: { id: person, kind: "private", title: person },
          sender: { id: person, name: person },
          text,
          files: [],
          isAddressed: true,
          quoted: undefined,
        });
        after = id; // The host has stored it.
      }
    } catch (error) {
      if (signal.aborted) return;
      inbox.report({ kind: "down", why: error instanceof Error ? error.message : String(error) });
      await waitUnlessAborted(againMs, clock, signal);
    }
  }
}
`,
    "src/send-message.ts": `import type { Net } from "@incipit/kernel";
import type { ChannelDelivery, ChannelMessage } from "@incipit/service-contract";
import * as z from "zod";

const answerSchema = z.object({ id: z.string() });
const waitMs = 30_000;

export interface SendOptions {
  readonly chat: string;
  readonly service: string;
  readonly net: Net;
  readonly signal: AbortSignal;
}

/** Sends one message and returns the outcome. Never throws. */
export async function sendMessage(
  message: ChannelMessage,
  { chat, service, net, signal }: SendOptions,
): Promise<ChannelDelivery> {
  if (message.kind === "file") return { kind: "failed", why: "This service takes no files" };
  try {
    const response = await net.fetch(\`\${service}/messages\`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ to: chat, text: message.text }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(waitMs)]),
    });
    if (response.status === 429) return { kind: "later", afterMs: 10_000, why: "The service has enough for now" };
    if (!response.ok) return { kind: "failed", why: \`The service answers with \${response.status}\` };
    return { kind: "sent", messageId: answerSchema.parse(await response.json()).id };
  } catch (error) {
    // The connection ended before the response: the message may have been delivered.
    return { kind: "unknown", why: error instanceof Error ? error.message : String(error) };
  }
}
`,
  }),
  test: ({ name }) => `import { channelsPoint } from "@incipit/service-contract";
import { startExtension } from "@incipit/testkit";
import { expect, test } from "bun:test";
import extension from "./index.ts";

test("${name} sends a message to the service", async () => {
  const sent: unknown[] = [];
  await using host = await startExtension(extension, {
    net: (url, options) => {
      sent.push([url, options?.body]);
      return Response.json({ id: "7" });
    },
  });
  const channel = host.contribution(channelsPoint);

  const message = { kind: "text", text: "Hello", buttons: [], replyTo: undefined } as const;
  expect(await channel.send("ada", message, AbortSignal.timeout(1_000))).toEqual({ kind: "sent", messageId: "7" });
  expect(sent).toEqual([["http://${address}/messages", '{"to":"ada","text":"Hello"}']]);
});

test("${name} splits text that exceeds the message limit", async () => {
  await using host = await startExtension(extension);
  const channel = host.contribution(channelsPoint);

  expect(channel.split("x".repeat(9_000)).map((part) => part.length)).toEqual([4_000, 4_000, 1_000]);
});
`,
  next: ({ name }) => [`incipit channels pair ${name}`],
};
