import { routes } from "@incipit/transport-contract";
import { expect } from "bun:test";
import { join } from "node:path";
import { test } from "./page-test.ts";

const example = join(import.meta.dir, "../../examples/01-prompt-variable");

test("[page-host] extensions can be stopped, started, swapped, and added after granting capabilities", async (hosts) => {
  const { world, page } = await hosts.open();
  await page.getByRole("link", { name: "Host" }).click();
  await page.getByText("The host is healthy.").waitFor();
  const offline = page.getByRole("article", { name: "provider-offline" });
  await offline.getByRole("button", { name: "Stop" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Stop" }).click();
  await offline.getByText(/^stopped/).waitFor();
  await offline.getByRole("button", { name: "Start" }).click();
  await offline.getByText(/^active/).waitFor();
  await offline.getByRole("button", { name: "Swap" }).click();
  await offline.getByText(/generation 3/).waitFor();
  await page.getByLabel("Folder on the host's machine").fill(example);
  await page.getByRole("button", { name: "Add", exact: true }).click();
  const question = page.getByRole("region", { name: /requests/ });
  await question.waitFor();
  const lines = await question.getByRole("listitem").allTextContents();
  await question.getByRole("button", { name: "Grant" }).click();
  await page.getByText("was added.").waitFor();
  const { extensions } = await world.client.call(routes.listExtensions);
  const added = extensions.find(({ path }) => path === example);

  expect(added?.phase).toBe("active");
  expect(lines.length).toBeGreaterThan(0);
});

test("[page-host] errors are shown in place: an invalid folder, a model without a key", async (hosts) => {
  const { world, page } = await hosts.open({
    config: '[providers.claude]\nkind = "anthropic"\n[profiles.reviewer]\nmodel = "claude/claude-sonnet-4-5"\n',
  });
  await page.goto(`${world.host.url}/#/host`);
  await page.getByLabel("Folder on the host's machine").fill("/nowhere/at/all");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByRole("alert").getByText("/nowhere/at/all").waitFor();
  const row = page.getByRole("row", { name: /claude\// }).first();
  const state = await row.textContent();
  const models = page.getByRole("region", { name: "Models", exact: true });
  const hints = models
    .getByRole("heading", { name: "To use more models" })
    .locator("xpath=following-sibling::ul[1]/li");

  expect(state).toContain("not ready: see above");
  expect(await hints.allTextContents()).toEqual([expect.stringContaining("ANTHROPIC_API_KEY")]);
  await page.getByRole("article", { name: "reviewer" }).waitFor();
});
