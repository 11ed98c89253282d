import type { ScheduleRun } from "@incipit/schema";
import { createTempFolder, startRecordingModelServer, sampleCount } from "@incipit/testkit";
import { createClient, routes, type Client } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { HostProcess, testedCommand, type HostProcessOptions } from "../support/host-process.ts";
import { randomNumbers } from "../support/random-numbers.ts";

/** `ONCE_JOB_KILLS=1000` for a long run. */
const kills = Number(process.env["ONCE_JOB_KILLS"] ?? sampleCount(20));
const seed = Number(process.env["ONCE_JOB_KILL_SEED"] ?? Math.floor(Math.random() * 2 ** 32));
/** Each start reads all jobs. */
const jobsPerFolder = 25;
/** A later time counts as missed. */
const graceMs = 60_000;
const endTimeoutMs = 60_000;

interface OnceJob {
  readonly id: string;
  readonly atMs: number;
  readonly missed: "skip" | "once" | "all";
}

function configOf(modelUrl: string, jobs: readonly OnceJob[]): string {
  const head = `model = "local/test"\n[providers.local]\nkind = "openai-compatible"\nbase_url = "${modelUrl}"\n`;
  const tables = jobs.map(
    ({ id, atMs, missed }) =>
      `[cron.jobs.${id}]\ntask = "Look"\nat = "${new Date(atMs).toISOString()}"\nmissed = "${missed}"\n`,
  );
  return head + tables.join("");
}

interface Kill {
  readonly afterMs: number;
  readonly isAtReady: boolean;
}

async function killedStart(
  { data, config, cwd }: HostProcessOptions,
  { afterMs, isAtReady }: Kill,
): Promise<"early" | "ready"> {
  const child = Bun.spawn(
    [...testedCommand, "serve", "--port", "0", "--json", "--data", data, "--config", config],
    { cwd, env: { PATH: process.env["PATH"] ?? "", HOME: cwd }, stdin: "ignore", stdout: "pipe", stderr: "ignore" },
  );
  const timer = setTimeout(() => child.kill("SIGKILL"), afterMs);
  const { done } = await child.stdout.getReader().read();
  if (isAtReady) child.kill("SIGKILL");
  await child.exited;
  clearTimeout(timer);
  return done ? "early" : "ready";
}

async function endedRunsOf(client: Client, id: string): Promise<readonly ScheduleRun[]> {
  const deadline = AbortSignal.timeout(endTimeoutMs);
  while (!deadline.aborted) {
    const { runs } = await client.call(routes.listScheduleRuns, { params: { id } });
    if (runs.length > 0 && runs.every(({ endedAt }) => endedAt !== null)) return runs;
  }
  throw new Error(`The job ${id} was lost: it neither ran nor was skipped, or its run has no end`);
}

test("SIGKILL during a start: an `at` job runs once or is recorded as skipped", async () => {
  process.stderr.write(`ONCE_JOB_KILL_SEED=${seed}\n`);
  const random = randomNumbers(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  await using model = await startRecordingModelServer();
  model.answer = () => ({ kind: "text", chunks: ["Done\n", "HEARTBEAT_OK"] });
  const counts = { early: 0, ready: 0, completed: 0, interrupted: 0, skipped: 0 };
  let startMs = 0;
  for (let left = kills; left > 0; left -= jobsPerFolder) {
    await using folder = await createTempFolder();
    const options = {
      data: join(folder.path, "data"),
      config: join(folder.path, "incipit.toml"),
      cwd: folder.path,
    };
    const jobs: OnceJob[] = [];
    const takeJobs = async (): Promise<void> => void (await Bun.write(options.config, configOf(model.url, jobs)));
    await takeJobs();
    {
      const begunMs = performance.now();
      await using _ = await HostProcess.start(options);
      startMs = performance.now() - begunMs;
    }
    for (let round = 0; round < Math.min(left, jobsPerFolder); round += 1) {
      const isLong = below(3) === 0;
      const atMs = Date.now() + (isLong ? -2 * graceMs : below(Math.ceil(2 * startMs)));
      jobs.push({ id: `job-${round}`, atMs, missed: (["skip", "once", "all"] as const)[below(3)] ?? "once" });
      await takeJobs();
      counts[await killedStart(options, { afterMs: below(Math.ceil(1.5 * startMs)), isAtReady: below(2) === 0 })] +=
        1;
    }

    await using host = await HostProcess.start(options);
    const client = createClient({ url: host.url, token: host.token });
    for (const { id, atMs, missed } of jobs) {
      const runs = await endedRunsOf(client, id);
      const [run, ...others] = runs;
      expect(others).toEqual([]);
      expect(run?.occurrences.map(({ dueAt }) => Date.parse(dueAt))).toEqual([atMs]);
      const status = run?.status ?? "none";
      if (status !== "completed" && status !== "interrupted" && status !== "skipped")
        throw new Error(`The job ${id} (${missed}) is ${status}`);
      counts[status] += 1;
      const isSkipped = status === "skipped";
      if (isSkipped) expect([missed, run?.error?.code]).toEqual(["skip", "MISSED"]);
      const { conversations } = await client.call(routes.listConversations, {
        query: { archived: "all", limit: 100 },
      });
      const own = conversations.filter(({ title }) => title === id);
      expect(own.map((conversation): string => conversation.id)).toEqual(
        isSkipped ? [] : [run?.conversationId ?? "none"],
      );
      for (const conversation of own) {
        const { messages } = await client.call(routes.listMessages, { params: { id: conversation.id } });
        expect(messages.filter(({ role }) => role === "user")).toHaveLength(1);
      }
    }
  }
  process.stderr.write(`${JSON.stringify({ kills, ...counts })}\n`);
  expect(counts.completed + counts.interrupted).toBeGreaterThan(0);
}, 3_600_000);

test("a ready host has stored the jobs of its configuration", async () => {
  await using model = await startRecordingModelServer();
  await using folder = await createTempFolder();
  const options = { data: join(folder.path, "data"), config: join(folder.path, "incipit.toml"), cwd: folder.path };
  const ids = Array.from({ length: 50 }, (_, index) => `job-${index}`);
  const jobs = ids.map((id) => ({ id, atMs: Date.now() + 3_600_000, missed: "once" }) as const);
  await Bun.write(options.config, configOf(model.url, jobs));

  expect(await killedStart(options, { afterMs: 120_000, isAtReady: true })).toBe("ready");

  await Bun.write(options.config, `${configOf(model.url, [])}[cron]\nenabled = false\n`);
  await using host = await HostProcess.start(options);
  const { schedules } = await createClient({ url: host.url, token: host.token }).call(routes.listSchedules, {
    query: { limit: 100 },
  });
  expect(schedules.map(({ id }) => id)).toEqual(ids.toSorted());
}, 300_000);
