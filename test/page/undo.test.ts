import { routes } from "@incipit/transport-contract";
import { expect } from "bun:test";
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { axeProblems } from "./axe-problems.ts";
import { test } from "./page-test.ts";
import type { PageWorld } from "./page-world.ts";

const config = '[tools]\nworkspace = true\n[approvals]\nallow = ["edit_file", "write_file"]\n';
const [original, changed] = ["one\ntwo\nthree\n", "one\nfour\nthree\n"];

interface Turned {
  readonly page: Page;
  readonly file: string;
  readonly made: string;
}

async function turned(world: PageWorld): Promise<Turned> {
  const folder = await realpath(world.folder);
  const [file, made] = [join(folder, "tides.md"), join(folder, "notes/new.md")];
  await Bun.write(file, original);
  const calls = [
    { name: "edit_file", arguments: JSON.stringify({ path: "tides.md", oldText: "two", newText: "four" }) },
    { name: "write_file", arguments: JSON.stringify({ path: "notes/new.md", content: "New" }) },
  ];
  world.model.enqueue(
    { kind: "tool-calls", calls: calls.map((call, index) => ({ id: `call-${index}`, ...call })) },
    { kind: "text", chunks: ["Changed."] },
  );
  const page = await world.signIn();
  await page.getByRole("textbox", { name: "Message" }).fill("Count right");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByRole("button", { name: "Continue from here" }).last().waitFor();
  await page.getByText("File changes from here").click();
  await page.getByText("will be restored").waitFor();
  return { page, file, made };
}

test("[page-conversation] Undo lists a turn's file changes, restores them after confirmation, and continues in a copy", async (hosts) => {
  const world = await hosts.start({ config });
  const { page, file, made } = await turned(world);
  const before = new URL(page.url()).hash;
  const shown = (await page.locator(".changed-files li").allTextContents()).map((text) => text.trim());
  const problems = await axeProblems(page);
  const undo = page.getByRole("button", { name: "Undo from here…" });
  await undo.click();
  const asked = await page.getByRole("dialog").textContent();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  const afterCancel = await Bun.file(file).text();
  await undo.click();
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await page.getByText("No messages yet.").waitFor();
  const draft = await page.getByRole("textbox", { name: "Message" }).inputValue();
  const { conversations } = await world.client.call(routes.listConversations, { query: {} });

  expect(shown).toEqual([
    `${made} will be deleted: the turn created it`,
    `${file} will be restored@@ -1,3 +1,3 @@\n one\n-four\n+two\n three`,
  ]);
  expect(problems).toEqual([]);
  expect(asked).toContain("2 files will be restored.");
  expect(afterCancel).toBe(changed);
  expect(draft).toBe("Count right");
  expect(await Bun.file(file).text()).toBe(original);
  expect(await Bun.file(made).exists()).toBe(false);
  expect(conversations.map(({ id }) => `#/conversations/${id}`)).toContain(before);
  expect(conversations.length).toBe(2);
});

test("[page-conversation] a file changed during the confirmation is left unchanged and named", async (hosts) => {
  const world = await hosts.start({ config });
  const { page, file } = await turned(world);
  await page.getByRole("button", { name: "Undo from here…" }).click();
  await Bun.write(file, "mine\n");
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  const told = await page.getByRole("alert").textContent();
  await page.getByRole("link", { name: "Continue in the copy" }).click();
  await page.getByText("No messages yet.").waitFor();

  expect(told).toContain(`${file} unchanged, because it was modified since then`);
  expect(await Bun.file(file).text()).toBe("mine\n");
});
