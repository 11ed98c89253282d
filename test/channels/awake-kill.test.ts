import type { ChannelMessageView, HeartbeatWake, ScheduleRun } from "@incipit/schema";
import { RecordingBotServer, type ModelReply } from "@incipit/testkit";
import { routes, type Client } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import * as z from "zod";
import { inputsOf } from "../support/acknowledged.ts";
import { expectEachOnce, KillSwitch, killHosts, type Below, type KilledLife } from "../support/kills.ts";
import { World } from "../support/world.ts";

const telegram = { id: "telegram" };
const bodySchema = z.object({ messages: z.array(z.object({ content: z.unknown() })) });
const names = /re m\d+\.|alert \d+\.|report \d+\./;

class Seen {
  readonly runs = new Map<string, ScheduleRun>();
  readonly wakes = new Map<string, HeartbeatWake>();
  readonly outbox = new Map<string, ChannelMessageView>();

  async look(client: Client): Promise<void> {
    const { runs } = await client.call(routes.listScheduleRuns, { params: { id: "own" }, query: { limit: 100 } });
    for (const run of runs) this.runs.set(run.id, run);
    const { wakes } = await client.call(routes.listHeartbeatWakes, { query: { limit: 100 } });
    for (const wake of wakes) this.wakes.set(wake.id, wake);
    const { messages } = await client.call(routes.listChannelMessages, { params: telegram, query: { limit: 200 } });
    for (const message of messages) this.outbox.set(message.id, message);
  }

  get isSettled(): boolean {
    return (
      [...this.runs.values()].every(({ endedAt }) => endedAt !== null) &&
      [...this.wakes.values()].every(({ outcome }) => outcome !== null) &&
      [...this.outbox.values()].every(({ state }) => state !== "waiting" && state !== "sending")
    );
  }
}

async function begin(below: Below): Promise<KilledLife<void>> {
  const bot = new RecordingBotServer();
  const ada = bot.person({ name: "Ada" });
  const config = (isPaused: boolean): string => `[heartbeat]
enabled = true
every = "1m"
conversation = "own"
tell = "telegram:${ada.chatId}"
[cron.jobs.own]
task = "Look"
every = "1s"
paused = ${isPaused}
tell = "telegram:${ada.chatId}"
[channels.telegram]
enabled = true
api_root = "${bot.url}"
people = ["${ada.user.id}"]
`;
  const world = await World.start({
    config: config(false),
    env: { TELEGRAM_BOT_TOKEN: bot.token },
    files: { "HEARTBEAT.md": "- Look at the disk.\n" },
  });
  world.scope.use(bot);
  const { model } = world;
  const seen = new Seen();
  const said: string[] = [];
  const asked = new Set<string>();
  let replies = 0;
  const answerTo = (body: string): ModelReply => {
    const text = JSON.stringify(bodySchema.parse(JSON.parse(body)).messages.at(-1)?.content);
    const [, message] = /\b(m\d+)\b/.exec(text) ?? [];
    replies += 1;
    if (message !== undefined) return { kind: "text", chunks: ["re ", `${message}.`] };
    const isQuiet = below(3) > 0;
    if (isQuiet) return { kind: "text", chunks: ["Done\n", "HEARTBEAT_OK"] };
    return { kind: "text", chunks: [text.includes("[HEARTBEAT]") ? "alert " : "report ", `${replies}.`] };
  };

  return {
    async round() {
      await using host = await world.host();
      const { client } = host;
      await seen.look(client);
      const way = below(3);
      // Kills between a claim and its end, during a delivery, or at any time.
      const events = way === 0 ? 1 + below(4) : Infinity;
      using killing = new KillSwitch(host, { events, ticks: way === 2 ? 1 + below(60) : 120 });
      if (way === 1) {
        bot.fail("sendMessage", { kind: "hold" });
        void bot.waitFor(({ held }) => held > 0 || killing.isDead).then(() => killing.kill());
      } else if (below(4) === 0) bot.fail("sendMessage", { kind: "cut", isTaken: below(2) === 0 });
      if (below(8) === 0) bot.repeatUpdates();
      let requests = events;
      model.answer = (body) => {
        requests -= 1;
        killing.note();
        return requests <= 0 || below(8) === 0 ? { kind: "never" } : answerTo(body);
      };
      for (let count = below(3); count > 0; count -= 1) {
        said.push(`m${said.length + 1}`);
        ada.says(said.at(-1) ?? "");
      }
      const wake =
        below(2) === 0
          ? client.call(routes.wakeHeartbeat).then((answer) => asked.add(answer.wake.id))
          : client.call(routes.runSchedule, { params: { id: "own" } }).then((answer) => asked.add(answer.run.id));
      await Promise.all([killing.dead, wake.catch(() => undefined)]);
      bot.release();
      model.forget();
    },
    async end() {
      model.answer = answerTo;
      await world.configure(config(true));
      await using host = await world.host();
      const { client } = host;
      const own = (): readonly ChannelMessageView[] => [...seen.outbox.values()];
      const repliesIn = (messages: readonly ChannelMessageView[]): readonly ChannelMessageView[] =>
        messages.filter(({ text }) => !/^alert \d|^own:/.test(text ?? ""));
      const startedAt = performance.now();
      do await seen.look(client);
      while (
        performance.now() - startedAt < 120_000 &&
        (!seen.isSettled || bot.pending.length > 0 || repliesIn(own()).length < said.length)
      );

      const runs = [...seen.runs.values()].filter(({ status }) => status !== "skipped");
      const wakes = [...seen.wakes.values()].filter(({ turnId }) => turnId !== null);
      const outbox = own();
      const count = (state: ChannelMessageView["state"]): number =>
        outbox.filter((message) => message.state === state).length;
      const told = { said: said.length, runs: runs.length, wakes: wakes.length, asked: asked.size };
      process.stderr.write(`${JSON.stringify({ ...told, sent: count("sent"), unknown: count("unknown") })}\n`);

      // Everything has ended, acknowledged data is stored, and each time is one turn.
      expect(seen.isSettled).toBe(true);
      expect(bot.pending).toEqual([]);
      expect([...asked].filter((id) => !seen.runs.has(id) && !seen.wakes.has(id))).toEqual([]);
      expectEachOnce(
        runs.flatMap(({ occurrences }) =>
          occurrences.map(({ dueAt, asked: by, scheduleId }) => `${scheduleId} ${dueAt} ${by}`),
        ),
      );
      expectEachOnce([...runs, ...wakes].map(({ turnId }) => turnId ?? "none"));
      expect(runs.filter(({ attempts }) => attempts !== 1)).toEqual([]);
      expectEachOnce(wakes.map(({ dueAt }) => dueAt));

      // Each conversation has its inputs once, in order, and requests keep their prefix.
      const { conversations } = await client.call(routes.listConversations, { query: { archived: "all" } });
      expect(conversations.map(({ title }) => title ?? "").toSorted()).toEqual([
        "Ada (telegram)",
        "Heartbeat",
        "own",
      ]);
      for (const { id, title } of conversations) {
        const texts = await inputsOf(client, id);
        if (title === "own")
          expect(texts.flatMap((text) => text.split("\n"))).toEqual(
            runs.flatMap(({ occurrences }) => occurrences.map(() => "[CRON:own] Look")),
          );
        else if (title === "Heartbeat") expect(texts).toHaveLength(wakes.length);
        else expect(texts).toEqual(said);
        const { summary } = await client.call(routes.auditConversation, { params: { id } });
        expect([title, summary.broken]).toEqual([title, 0]);
      }

      // Sent messages arrived once, unknown ones at most once.
      expect(repliesIn(outbox)).toHaveLength(said.length);
      const namesOf = (texts: readonly (string | null | undefined)[]): readonly string[] =>
        texts.flatMap((text) => names.exec(text ?? "") ?? []);
      expectEachOnce(namesOf(outbox.map(({ text }) => text)));
      const worthTelling = [
        ...wakes.filter(({ outcome }) => outcome === "alert").map(({ reply }) => reply),
        ...runs.filter(({ status, quiet }) => status === "completed" && !quiet).map(({ reply }) => reply),
      ];
      const toldNames = new Set(namesOf(outbox.map(({ text }) => text)));
      expect(namesOf(worthTelling).filter((name) => !toldNames.has(name))).toEqual([]);
      const come = namesOf(bot.sent.map(({ text }) => text));
      expectEachOnce(come);
      const hasCome = new Set(come);
      const lost = outbox.filter(({ state, text }) => {
        const [name] = namesOf([text]);
        return (
          name !== undefined && (state === "sent" ? !hasCome.has(name) : state === "failed" && hasCome.has(name))
        );
      });
      expect(lost).toEqual([]);
      const answered = come.flatMap((name) => (name.startsWith("re m") ? [Number(name.slice(4, -1))] : []));
      expect(answered).toEqual(answered.toSorted((a, b) => a - b));
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

/** `AWAKE_KILLS=2000` takes an hour on two processors. */
test("[never-lost] repeated SIGKILL with schedules, heartbeat and chat loses and duplicates nothing", async () => {
  await killHosts({ name: "AWAKE", kills: 30 }, begin);
}, 7_200_000);
