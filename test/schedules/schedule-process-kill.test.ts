import type { ScheduleRun } from "@incipit/schema";
import type { ModelReply } from "@incipit/testkit";
import { routes, type Client } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { inputsOf } from "../support/acknowledged.ts";
import { expectEachOnce, KillSwitch, killHosts, type Below, type KilledLife } from "../support/kills.ts";
import { World } from "../support/world.ts";

const schedules = ["own", "fresh"] as const;

async function begin(below: Below): Promise<KilledLife<void>> {
  const world = await World.start();
  const { model } = world;
  const known = new Map<string, ScheduleRun>();
  const asked = new Set<string>();
  const look = async (client: Client): Promise<void> => {
    for (const id of schedules) {
      const { runs } = await client.call(routes.listScheduleRuns, { params: { id } });
      for (const run of runs) known.set(run.id, run);
    }
  };
  {
    await using host = await world.host();
    for (const id of schedules)
      await host.client.call(routes.createSchedule, { body: { id, task: "Look", every: "1s", conversation: id } });
  }

  return {
    async round() {
      await using host = await world.host();
      const { client } = host;
      await look(client);
      // Requests fall between a claim and its end; timers kill at any moment.
      const moment = below(2) === 0 ? { events: 1 + below(4) } : { ticks: 1 + below(150) };
      using killing = new KillSwitch(host, moment);
      model.answer = (): ModelReply => {
        killing.note();
        return killing.isDead || below(5) === 0
          ? { kind: "never" }
          : { kind: "text", chunks: ["Done\n", "HEARTBEAT_OK"] };
      };
      const run = client.call(routes.runSchedule, { params: { id: schedules[below(2)] ?? "own" } });
      await Promise.all([killing.dead, run.then((answer) => asked.add(answer.run.id)).catch(() => undefined)]);
      model.forget();
    },
    async end() {
      model.answer = () => ({ kind: "text", chunks: ["Done\n", "HEARTBEAT_OK"] });
      await using host = await world.host();
      const { client } = host;
      for (const id of schedules)
        await client.call(routes.updateSchedule, { params: { id }, body: { paused: true } });
      do await look(client);
      while ([...known.values()].some(({ endedAt }) => endedAt === null));

      const all = [...known.values()];
      // On a slow machine, an endless turn fills the queue; further runs are recorded as skipped without a model call.
      const leftOut = all.filter(({ status }) => status === "skipped");
      expect(leftOut.filter(({ error, turnId }) => error?.code !== "STILL_RUNNING" || turnId !== null)).toEqual([]);
      const runs = all.filter(({ status }) => status !== "skipped");
      const count = (status: ScheduleRun["status"]): number => runs.filter((run) => run.status === status).length;
      const told = {
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
      const [own, ...others] = conversations.filter(({ title }) => title === "own");
      expect(others).toEqual([]);
      const lines = of("own")
        .flatMap(({ occurrences }) => occurrences)
        .map(() => "[CRON:own] Look");
      expect((await inputsOf(client, own?.id ?? "")).flatMap((text) => text.split("\n"))).toEqual(lines);
      const fresh = conversations.filter(({ title }) => title === "fresh").map(({ id }) => id);
      expect(fresh.toSorted()).toEqual(
        of("fresh")
          .map(({ conversationId }) => conversationId ?? "none")
          .toSorted(),
      );
      for (const id of fresh) expect(await inputsOf(client, id)).toEqual(["[CRON:fresh] Look"]);
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

/** `SCHEDULE_KILLS=200` for a long run. */
test("repeated SIGKILL of a host with schedules runs each claim exactly once", async () => {
  await killHosts({ name: "SCHEDULE", kills: 20 }, begin);
}, 1_800_000);

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
