import { routes } from "@incipit/transport-contract";
import { expect } from "bun:test";
import { join } from "node:path";
import { test } from "./page-test.ts";

test("[page-schedules] a task is created, run, paused, resumed and removed, with its results", async (hosts) => {
  const { world, page } = await hosts.open();
  world.model.enqueue({ kind: "text", chunks: ["Two of <b>three</b> are open."] });
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Schedules" }).click();
  await page.getByText("No tasks yet").waitFor();
  await page.getByLabel("Name").fill("daily-report");
  await page.getByLabel("Instructions").fill("Say what is open");
  await page.getByLabel("Cron expression").fill("99 9 * * *");
  await page.getByRole("button", { name: "Create the task" }).click();
  const refused = (await page.getByRole("alert").textContent()) ?? "";
  await page.getByLabel("Cron expression").fill("0 9 1 1 *");
  await page.getByLabel("Time zone").fill("Asia/Tokyo");
  await page.getByRole("button", { name: "Create the task" }).click();
  await page.getByText("“daily-report” was created.").waitFor();
  const task = page.getByRole("article", { name: "daily-report" });
  await task.getByText("0 9 1 1 * (Asia/Tokyo)").waitFor();
  const nextAt = await task.locator("dl time").getAttribute("datetime");
  await task.getByRole("button", { name: "Run now" }).click();
  await page.getByText("“daily-report” is running.").waitFor();
  await task.getByText("Two of <b>three</b> are open.").waitFor();
  await task.getByText("Runs", { exact: true }).click();
  const history = task.locator("details li");
  await history.getByText("Two of <b>three</b> are open.").waitFor();
  const run = await history.textContent();
  await task.getByRole("button", { name: "Pause" }).click();
  await task.getByText("Paused").waitFor();
  const paused = (await world.client.call(routes.getSchedule, { params: { id: "daily-report" } })).schedule.paused;
  await task.getByRole("button", { name: "Resume" }).click();
  await task.locator("dl time").waitFor();
  await task.getByRole("link", { name: "Its conversation" }).first().click();
  await page.getByText("[CRON:daily-report] Say what is open").waitFor();
  await page.goBack();
  await task.getByRole("button", { name: "Remove…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await page.getByText("“daily-report” was removed.").waitFor();
  await task.waitFor({ state: "detached" });

  expect(refused).toContain("99 9 * * *");
  expect(nextAt).toMatch(/-01-01T00:00:00/);
  expect(run).toContain("started by a person");
  expect(paused).toBe(true);
});

test("[page-schedules] a configured task can be run and paused, but is removed in the configuration", async (hosts) => {
  const { world, page } = await hosts.open({
    config: '[cron.jobs.nightly]\ncron = "0 3 * * *"\ntask = "Tidy up"\ntell = "telegram:42"\n',
  });
  await page.goto(`${world.host.url}/#/schedules`);
  const task = page.getByRole("article", { name: "nightly" });
  await task.getByText("Defined in the configuration").waitFor();

  expect(await task.locator("dl").textContent()).toContain("Reports totelegram:42");
  expect(await task.getByRole("button").allTextContents()).toEqual(["Run now", "Pause"]);
});

test("[page-schedules] the heartbeat explains how to enable it, shows its replies and can be woken", async (hosts) => {
  const off = await hosts.start();
  const before = await off.signIn();
  await before.goto(`${off.host.url}/#/schedules`);
  await before.getByText("The heartbeat is off").waitFor();
  const lines = await before.getByRole("region", { name: "Heartbeat" }).locator("pre").textContent();
  const { world, page } = await hosts.open({ config: lines ?? "" });
  await page.goto(`${world.host.url}/#/schedules`);
  const heartbeat = page.getByRole("region", { name: "Heartbeat" });
  await heartbeat.getByText("No heartbeat yet.").waitFor();
  await heartbeat.getByRole("button", { name: "Run now" }).click();
  const nothing = await heartbeat.getByRole("alert").textContent();
  await Bun.write(join(world.folder, "HEARTBEAT.md"), "Look at the disk.");
  world.model.enqueue({ kind: "text", chunks: ["The disk is full."] }, { kind: "text", chunks: ["HEARTBEAT_OK"] });
  await heartbeat.getByRole("button", { name: "Run now" }).click();
  await heartbeat.getByText("The disk is full.").waitFor();
  await heartbeat.getByRole("button", { name: "Run now" }).click();
  await heartbeat.getByText("Nothing needs attention").waitFor();
  await heartbeat.getByRole("heading", { name: "Last alert" }).waitFor();
  const said = await heartbeat.textContent();
  await heartbeat.getByText("Results").click();
  await heartbeat.locator("details li").nth(1).waitFor();

  expect(nothing).toContain("HEARTBEAT.md");
  expect(said).toContain("The disk is full.");
  expect(said).not.toContain("HEARTBEAT_OK");
});
