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

/** Longest text of one message. */
const maxLength = 4_000;

/** Where people write; what "capabilities.net" of package.json names is what can be reached. */
const service = "http://${address}";

/** People write to the host on a service of yours. Who may talk, and what becomes of it, the host decides. */
export default defineExtension(packageJson, (host) => {
  host.contribute(channelsPoint, {
    id: "${name}",
    // Nobody may talk at first: "incipit channels pair ${name}" lets somebody in.
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
    // A block of code that is cut stays open: whoever shows them should close it.
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

/** What the service answers: what has come since the update that was asked with. */
const updatesSchema = z.array(z.object({ id: z.int(), person: z.string(), text: z.string() }));

export interface ReceiveOptions {
  readonly service: string;
  readonly net: Net;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Asks the service for what people write, until the signal aborts, and comes back from whatever happens meanwhile. */
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
        after = id; // It is stored, and need not be given again.
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

/** Sends one message, and says what became of it: it does not throw. */
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
    // The connection ended before the answer: nobody knows whether it came.
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

test("${name} cuts what is too long for one message", async () => {
  await using host = await startExtension(extension);
  const channel = host.contribution(channelsPoint);

  expect(channel.split("x".repeat(9_000)).map((part) => part.length)).toEqual([4_000, 4_000, 1_000]);
});
`,
  next: ({ name }) => [`incipit channels pair ${name}`],
};
