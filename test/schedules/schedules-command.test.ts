import { scheduleRunSchema, scheduleSchema } from "@incipit/schema";
import { expect, test } from "bun:test";
import { type CommandResult } from "../support/host-process.ts";
import { HostWorld } from "../support/host-world.ts";

test("incipit schedules adds, lists, pauses, runs, shows and removes, with and without a running host", async () => {
  const config = '[cron.jobs.nightly]\ntask = "Tidy up"\ncron = "0 3 1 1 *"';
  await using world = await HostWorld.create({ model: "offline/echo", config });
  const run = (...words: readonly string[]): Promise<CommandResult> => world.run("schedules", ...words);
  const alone = await run("add", "logs", "Look at the log", "--cron", "0 9 1 1 *", "--zone", "Europe/Berlin");
  await using host = await world.start();

  const listed = await run();
  const paused = await run("pause", "logs", "--json");
  const asked = scheduleRunSchema.parse(JSON.parse((await run("run", "logs", "--json")).stdout));
  const shown = await untilEnded(() => run("history", "logs", "--json"));
  const readable = await run("history", "logs");
  const resumed = await run("resume", "logs");
  const configured = await run("remove", "nightly");
  const wrongTime = await run("add", "bad", "Look", "--cron", "0 9 *");
  const removed = await run("remove", "logs");
  const gone = await run("remove", "logs");
  const wrong = await Promise.all([run("add", "x", "Look"), run("puase", "logs")]);

  expect(alone).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^logs .*next \d{4}-01-01 08:00 UTC/) });
  expect(listed.stdout).toMatch(/^logs .*never ran.*Look at the log\nnightly .*Tidy up {2}\(configured\)\n$/);
  expect(scheduleSchema.parse(JSON.parse(paused.stdout))).toMatchObject({ paused: true, nextAt: null });
  expect(asked).toMatchObject({ status: "waiting", occurrences: [{ asked: true }] });
  expect(shown).toMatchObject({ id: asked.id, status: "completed", attempts: 1 });
  expect(readable.stdout).toContain(`turn ${shown.turnId}  (asked for)`);
  expect(resumed.stdout).toContain("last completed");
  expect(configured).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("[cron.jobs.nightly]") });
  expect(wrongTime).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('"cron" is "0 9 *"') });
  expect(removed.stdout).toBe('Removed "logs" and its history; its conversations are kept\n');
  expect(gone.stderr).toBe('No schedule has the id "logs"; "incipit schedules" lists them [SCHEDULE_UNKNOWN]\n');
  expect(wrong.map(({ exitCode }) => exitCode)).toEqual([2, 2]);
  expect(await host.kill("SIGTERM")).toBe(0);
}, 600_000);

async function untilEnded(
  history: () => Promise<CommandResult>,
): Promise<ReturnType<typeof scheduleRunSchema.parse>> {
  for (;;) {
    const [line = ""] = (await history()).stdout.split("\n");
    const newest = scheduleRunSchema.parse(JSON.parse(line));
    if (newest.endedAt !== null) return newest;
  }
}
