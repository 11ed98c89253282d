import type { ScheduleRun } from "@incipit/schema";
import { createTempFolder, startRecordingModelServer, sampleCount, type ModelReply } from "@incipit/testkit";
import { createClient, routes, type Client } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { HostProcess } from "../support/host-process.ts";
import { randomNumbers } from "../support/random-numbers.ts";

/** `SCHEDULE_KILLS=200` for a long run. */
const kills = Number(process.env["SCHEDULE_KILLS"] ?? sampleCount(20));
const seed = Number(process.env["SCHEDULE_KILL_SEED"] ?? Math.floor(Math.random() * 2 ** 32));

const schedules = ["own", "fresh"] as const;

test("repeated SIGKILL of a host with schedules runs each claim exactly once", async () => {
  process.stderr.write(`SCHEDULE_KILL_SEED=${seed}\n`);
  const random = randomNumbers(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  await using folder = await createTempFolder();
  await using model = await startRecordingModelServer();
  const options = { data: join(folder.path, "data"), config: join(folder.path, "incipit.toml"), cwd: folder.path };
  await Bun.write(
    options.config,
    `model = "local/test"\n[providers.local]\nkind = "openai-compatible"\nbase_url = "${model.url}"\n`,
  );
  const clientOf = ({ url, token }: HostProcess): Client => createClient({ url, token });
  const known = new Map<string, ScheduleRun>();
  const asked = new Set<string>();
  const look = async (client: Client): Promise<void> => {
    for (const id of schedules) {
      const { runs } = await client.call(routes.listScheduleRuns, { params: { id } });
      for (const run of runs) known.set(run.id, run);
    }
  };
  {
    await using host = await HostProcess.start(options);
    for (const id of schedules)
      await clientOf(host).call(routes.createSchedule, {
        body: { id, task: "Look", every: "1s", conversation: id },
      });
  }

  for (let round = 1; round <= kills; round += 1) {
    await using host = await HostProcess.start(options);
    const client = clientOf(host);
    await look(client);
    const dead = Promise.withResolvers<void>();
    // Requests fall between a claim and its end; timers kill at any moment.
    let requests = below(2) === 0 ? 1 + below(4) : Infinity;
    let ticks = requests === Infinity ? 1 + below(150) : Infinity;
    const kill = (): void => void host.kill("SIGKILL").then(() => dead.resolve());
    model.answer = (): ModelReply => {
      requests -= 1;
      if (requests === 0) kill();
      return requests <= 0 || below(5) === 0
        ? { kind: "never" }
        : { kind: "text", chunks: ["Done\n", "HEARTBEAT_OK"] };
    };
    const timer = setInterval(() => {
      ticks -= 1;
      if (ticks === 0) kill();
    }, 10);
    const run = client.call(routes.runSchedule, { params: { id: schedules[below(2)] ?? "own" } });
    await Promise.all([dead.promise, run.then((answer) => asked.add(answer.run.id)).catch(() => undefined)]);
    clearInterval(timer);
    model.forget();
  }

  model.answer = () => ({ kind: "text", chunks: ["Done\n", "HEARTBEAT_OK"] });
  await using host = await HostProcess.start(options);
  const client = clientOf(host);
  for (const id of schedules) await client.call(routes.updateSchedule, { params: { id }, body: { paused: true } });
  do await look(client);
  while ([...known.values()].some(({ endedAt }) => endedAt === null));

  const all = [...known.values()];
  // On a slow machine, an endless turn fills the queue; further runs are recorded as skipped without a model call.
  const leftOut = all.filter(({ status }) => status === "skipped");
  expect(leftOut.filter(({ error, turnId }) => error?.code !== "STILL_RUNNING" || turnId !== null)).toEqual([]);
  const runs = all.filter(({ status }) => status !== "skipped");
  const count = (status: ScheduleRun["status"]): number => runs.filter((run) => run.status === status).length;
  const told = {
    kills,
    runs: runs.length,
    leftOut: leftOut.length,
    asked: asked.size,
    completed: count("completed"),
    interrupted: count("interrupted"),
  };
  process.stderr.write(`${JSON.stringify(told)}\n`);
  expect(told.completed + told.interrupted).toBe(runs.length);
  expect(told.completed).toBeGreaterThan(0);
  // Each time belongs to one run, each run is one turn, and acknowledged data is stored.
  expectEachOnce(
    runs.flatMap(({ occurrences }) =>
      occurrences.map(({ scheduleId, dueAt, asked: by }) => `${scheduleId} ${dueAt} ${by}`),
    ),
  );
  expectEachOnce(runs.map(({ turnId }) => turnId ?? "none"));
  expect([...asked].filter((id) => !known.has(id))).toEqual([]);
  expect(runs.filter(({ attempts }) => attempts !== 1)).toEqual([]);

  const of = (id: string): readonly ScheduleRun[] =>
    runs.filter(({ occurrences }) => occurrences.some(({ scheduleId }) => scheduleId === id));
  const conversations = await conversationsOf(client);
  const said = async (id: string): Promise<readonly string[]> => messagesOf(client, id);
  const [own, ...others] = conversations.filter(({ title }) => title === "own");
  expect(others).toEqual([]);
  const lines = of("own")
    .flatMap(({ occurrences }) => occurrences)
    .map(() => "[CRON:own] Look");
  expect((await said(own?.id ?? "")).flatMap((text) => text.split("\n"))).toEqual(lines);
  const fresh = conversations.filter(({ title }) => title === "fresh").map(({ id }) => id);
  expect(fresh.toSorted()).toEqual(
    of("fresh")
      .map(({ conversationId }) => conversationId ?? "none")
      .toSorted(),
  );
  for (const id of fresh) expect(await said(id)).toEqual(["[CRON:fresh] Look"]);
}, 1_800_000);

function expectEachOnce(names: readonly string[]): void {
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
}

async function conversationsOf(
  client: Client,
): Promise<readonly { readonly id: string; readonly title: string | null }[]> {
  const found: { readonly id: string; readonly title: string | null }[] = [];
  for (let cursor: string | undefined; ;) {
    const query = { archived: "all", ...(cursor === undefined ? {} : { cursor }) } as const;
    const page = await client.call(routes.listConversations, { query });
    found.push(...page.conversations);
    cursor = page.nextCursor;
    if (cursor === undefined) return found;
  }
}

async function messagesOf(client: Client, id: string): Promise<readonly string[]> {
  const texts: string[] = [];
  for (let cursor: string | undefined; ;) {
    const query = { limit: 1_000, ...(cursor === undefined ? {} : { cursor }) };
    const page = await client.call(routes.listMessages, { params: { id }, query });
    for (const { role, parts } of page.messages)
      if (role === "user") texts.push(...parts.flatMap((part) => (part.type === "text" ? [part.text] : [])));
    cursor = page.nextCursor;
    if (cursor === undefined) return texts;
  }
}
