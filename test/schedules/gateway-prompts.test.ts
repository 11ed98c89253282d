import { RecordingBotServer } from "@incipit/testkit";
import { routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import * as z from "zod";
import { createAgentsWorld } from "../agents/agents-world.ts";

const heartbeat = "gateway-heartbeat";
const cron = "gateway-cron";
const media = "gateway-media";

/** A change of a text changes the prompt of every new conversation, so it must be deliberate. */
const segmentsBySha256: ReadonlyMap<string, string> = new Map([
  ["bba4ab0afe1e0c844c6e0e2eb4bfdb21c0085aed054c03e88ef06cbf89aaabd7", heartbeat],
  ["9ffb94e0f1f9fca97e015fdf7b1880ba51bef2e6ac6fd3c22d96801c0fffb9af", cron],
  ["a6c3e2c391d105f4866612e2eaa8d7ab2e3333ab58c08055ead50326df1aac4a", media],
]);

function sha256(text: string): string {
  return new Bun.CryptoHasher("sha256").update(text).digest("hex");
}

function segmentsOf(prompt: string): readonly string[] {
  return prompt.split(/\n\n(?=## Gateway: )/).map((text) => segmentsBySha256.get(sha256(text)) ?? text);
}
const job = 'cron.jobs.look = { task = "Look", cron = "0 9 * * *" }';

const channel = 'channels.telegram = { enabled = true, api_root = "BOT" }';

const cases = [
  ["SP-1", "the heartbeat alone", "heartbeat.enabled = true\ncron.enabled = false", [heartbeat]],
  ["SP-2", "the heartbeat and schedules", `heartbeat.enabled = true\n${job}`, [heartbeat, cron]],
  [
    "SP-3",
    "all three, where all of them are on",
    `heartbeat.enabled = true\n${job}\n${channel}`,
    [heartbeat, cron, media],
  ],
  ["SP-4", "nothing", "", []],
  [
    "SP-5",
    "both, behind the user's own text",
    `append_system_prompt = "Answer in English."\nheartbeat.enabled = true\ncron.enabled = true`,
    ["Answer in English.", heartbeat, cron],
  ],
  [
    "SP-6",
    "no heartbeat, where its text is switched off",
    `heartbeat.enabled = true\ngateway_prompts.heartbeat = false`,
    [],
  ],
  ["SP-6", "the heartbeat's text, where it is switched on alone", "gateway_prompts.heartbeat = true", [heartbeat]],
  ["SP-6", "no files, where that text is switched off", `${channel}\ngateway_prompts.media = false`, []],
  ["SP-6", "no files, where the channel is off", "channels.telegram.enabled = false", []],
  ["SP-6", "files, where that text is switched on alone", "gateway_prompts.media = true", [media]],
] as const;

const bodySchema = z.object({ messages: z.array(z.object({ role: z.string(), content: z.string() })) });

for (const [id, what, settings, behind] of cases)
  test(`${id}: the request, its preview and its explanation contain ${what}`, async () => {
    await using bot = new RecordingBotServer();
    const config = `system_prompt = "Be brief."\n${settings.replace("BOT", bot.url)}`;
    await using world = await createAgentsWorld({ config, env: { TELEGRAM_BOT_TOKEN: bot.token } });
    const { client, model } = world;
    const gateway = behind.filter((text) => text.startsWith("gateway-"));
    const own = ["Be brief.", ...behind.filter((text) => !text.startsWith("gateway-"))].join("\n\n");

    const preview = await client.call(routes.previewSystemPrompt, { body: {} });
    const params = { id: await world.begin() };
    await world.turn(params.id, "Hello");
    const { explain } = await client.call(routes.explainConversation, { params });

    const { messages } = bodySchema.parse(JSON.parse(model.requests[0]?.body ?? ""));
    const sent = messages.flatMap(({ role, content }) => (role === "system" ? [content] : []));
    expect(sent.map(segmentsOf)).toEqual([[own, ...gateway]]);
    expect(sent).toEqual([preview.systemPrompt]);
    expect(explain?.sha256).toBe(sha256(preview.systemPrompt));
    const told = explain?.segments.map(({ id: segment }) => segment).filter((name) => name.startsWith("gateway-"));
    expect(told).toEqual(gateway);
  });
