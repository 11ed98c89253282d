import { createTempFolder, RecordingBotServer, startRecordingModelServer } from "@incipit/testkit";
import { routes } from "@incipit/transport-contract";
import { join } from "node:path";
import { buildCommand } from "./build-command.ts";
import { count } from "./format.ts";
import { startHostProcess } from "./host-process.ts";
import { percentile } from "./measure.ts";
import type { Row } from "./table.ts";
import { within } from "./within.ts";

const chatCount = 1_000;
const messageCount = 200;
const wakeCount = 200;
const waitMs = 120_000;
const reply = { kind: "text", chunks: ["Three ", "files."] } as const;

/** Service, models and people share this process; the host has its own. */
export async function awake(): Promise<readonly Row[]> {
  await using folder = await createTempFolder();
  await using model = await startRecordingModelServer();
  await using bot = new RecordingBotServer();
  const people = Array.from({ length: chatCount }, (_, index) => bot.person({ name: `Person ${index + 1}` }));
  const [ada] = people;
  if (ada === undefined) throw new Error("There is nobody");
  const ids = JSON.stringify(people.map(({ user }) => String(user.id)));
  await Bun.write(join(folder.path, "HEARTBEAT.md"), "# Nothing today\n- \n");
  await using host = await startHostProcess({
    folder: folder.path,
    modelUrl: model.url,
    command: await buildCommand(),
    env: { TELEGRAM_BOT_TOKEN: bot.token },
    settings: `
[channels.telegram]
enabled = true
api_root = "${bot.url}"
people = ${ids}
[heartbeat]
enabled = true
every = "24h"
`,
  });

  const answered: number[] = [];
  const asked: number[] = [];
  for (let index = 0; index < messageCount; index += 1) {
    model.enqueue(reply);
    const startMs = performance.now();
    ada.says("Which files changed since yesterday?");
    await within("the answer of a message", waitMs, () => bot.waitFor(({ sent }) => sent.length > index));
    asked.push((model.requests.at(-1)?.receivedAtMs ?? Number.NaN) - startMs);
    answered.push(performance.now() - startMs);
  }

  model.forget();
  model.enqueue(...people.map(() => reply));
  const startMs = performance.now();
  for (const person of people) person.says("Which files changed since yesterday?");
  await within("an answer in each chat", waitMs, () =>
    bot.waitFor(({ sent }) => sent.length >= messageCount + chatCount),
  );
  const allMs = performance.now() - startMs;
  const lastAskedMs = Math.max(...model.requests.map(({ receivedAtMs }) => receivedAtMs)) - startMs;

  model.forget();
  const woken: number[] = [];
  for (let index = 0; index < wakeCount; index += 1) {
    const wakeMs = performance.now();
    const said = await host.client.call(routes.wakeHeartbeat, {}).then(String, String);
    woken.push(performance.now() - wakeMs);
    if (!said.includes("has nothing to do")) throw new Error(`A wake with nothing to do was: ${said}`);
  }
  if (model.requests.length > 0) throw new Error("A wake with nothing to do has asked a model");

  const warm = asked.slice(20);
  const wakeP50Ms = percentile(woken.slice(20), 0.5);
  return [
    {
      subject: "a message of a chat, from the service to the model's request, messages 21 to 200",
      measured: `p50 ${percentile(warm, 0.5).toFixed(1)} ms, p95 ${percentile(warm, 0.95).toFixed(1)} ms`,
      target: "5 ms",
      isMet: percentile(warm, 0.5) <= 5,
    },
    {
      subject: "– to the answer in the chat",
      measured: `p50 ${percentile(answered.slice(20), 0.5).toFixed(1)} ms`,
    },
    {
      subject: `${count(chatCount)} people who write at once, each in a new conversation`,
      measured: `the last request is with its model after ${(lastAskedMs / 1_000).toFixed(1)} s, the last answer sent after ${(allMs / 1_000).toFixed(1)} s`,
    },
    {
      subject: "a wake that has nothing to do, over HTTP; no model is asked",
      measured: `p50 ${wakeP50Ms.toFixed(2)} ms`,
      target: "1 ms",
      isMet: wakeP50Ms <= 1,
    },
  ];
}
