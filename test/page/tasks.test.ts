import { expect } from "bun:test";
import { axeProblems } from "./axe-problems.ts";
import { test } from "./page-test.ts";

test("[page-conversation] a conversation lists its subagent tasks, with links both ways", async (hosts) => {
  const world = await hosts.start({
    config: '[subagents]\nenabled = true\n[profiles.reader]\nsystem_prompt = "You read."\n',
  });
  const task = JSON.stringify({ profile: "reader", task: "Find the tides" });
  world.model.enqueue(
    { kind: "tool-calls", calls: [{ id: "call_1", name: "agent", arguments: task }] },
    { kind: "text", chunks: ["Twice a day"] },
    { kind: "text", chunks: ["They come twice a day"] },
  );
  const page = await world.signIn();
  await page.getByRole("textbox", { name: "Message" }).fill("How often?");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText("They come twice a day").first().waitFor();
  const list = page.locator("details.tasks");
  await list.getByText("1 task it started").click();
  const told = await list.getByRole("listitem").textContent();
  const problems = await axeProblems(page);
  await list.getByRole("link", { name: "Find the tides" }).click();
  await page.getByRole("heading", { level: 1, name: "Find the tides" }).waitFor();
  const reply = await page.locator('.message[data-role="assistant"] .markdown').textContent();
  await page.getByRole("link", { name: "A task of another conversation" }).click();
  await page.getByRole("heading", { level: 1, name: "How often?" }).waitFor();

  expect(told).toMatch(/^Find the tides reader · \d+ tokens$/);
  expect(problems).toEqual([]);
  expect(reply?.trim()).toBe("Twice a day");
});
