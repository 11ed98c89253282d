import { openTrustStore } from "@incipit/host/trust";
import { routes } from "@incipit/transport-contract";
import { expect } from "bun:test";
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { test } from "./page-test.ts";
import { fixtureServer } from "../support/mcp-programs.ts";

function servers(): string {
  const args = JSON.stringify([fixtureServer, "modern", "/dev/null", "/dev/null"]);
  return `[mcp.servers.good]\ncommand = ${JSON.stringify(process.execPath)}\nargs = ${args}\n[mcp.servers.bad]\ncommand = "no-such-program"\n`;
}

test("[page-setup] the configuration shows value and source of each key", async (hosts) => {
  const { world, page } = await hosts.open({
    config: '[records]\nkeep_days = 7\n[profiles.reviewer]\nsystem_prompt = "<b>Review</b>"\n',
  });
  await page.goto(`${world.host.url}/#/host`);
  const table = page.getByRole("region", { name: "Table of keys" });
  await table.waitFor();
  const written = await table.getByRole("rowheader").allTextContents();
  const kept = await table.getByRole("row", { name: /records\.keep_days/ }).textContent();
  const port = await table.getByRole("row", { name: /listen\.port/ }).textContent();
  await page.getByLabel("Include unset keys").check();
  await page.getByRole("searchbox", { name: "Find a key" }).fill("max_steps");
  const found = await table.getByRole("row").allTextContents();
  await page.getByRole("searchbox", { name: "Find a key" }).fill("no such key");
  await page.getByText("No key has these letters in its name or source.").waitFor();

  expect(written).toContain("model");
  expect(written).not.toContain("records.requests");
  expect(kept).toContain("incipit.toml:6");
  expect(kept).toContain("7");
  expect(port).toContain("--port");
  expect(found).toEqual(["KeyValueFrom", "extensions.settings.session-orchestrator.max_steps50default"]);
});

test("[page-setup] MCP servers show their state, start on request, and explain failures", async (hosts) => {
  const { world, page } = await hosts.open({ config: servers() });
  await page.goto(`${world.host.url}/#/host`);
  const good = page.getByRole("article", { name: "good" });
  const bad = page.getByRole("article", { name: "bad" });
  await good.getByText("not started").waitFor();
  await good.getByRole("button", { name: "Start", exact: true }).click();
  await good.getByText(/^running/).waitFor();
  await good
    .locator("summary")
    .getByText(/\d tools/)
    .click();
  await good.locator("summary").getByText("Instructions to models").click();
  await good.getByText("Of the newer handshake.").waitFor();
  const tools = await good.locator("dt").allTextContents();
  await bad.getByRole("button", { name: "Start", exact: true }).click();
  await bad.getByText(/^failed/).waitFor();
  const why = await bad.locator(".problem").textContent();

  expect(tools.join(" ")).toContain("good__echo");
  expect(tools.join(" ")).toContain("needs approval");
  expect(why).toContain("no-such-program");
  expect(await bad.getByRole("button", { name: "Restart" }).count()).toBe(1);
});

test("[page-setup] trusted folders list changes and requested permissions, read-only", async (hosts) => {
  const world = await hosts.start();
  const folder = await realpath(world.folder);
  const work = join(folder, "it's work");
  const config = '[mcp.servers.files]\ncommand = "files-server"\n';
  await Bun.write(join(work, "incipit.toml"), config);
  await Bun.write(join(work, "AGENTS.md"), "Be long.");
  const sha256 = (text: string): string => new Bun.CryptoHasher("sha256").update(text).digest("hex");
  const page = await world.signIn();
  await page.goto(`${world.host.url}/#/host`);
  await page.getByText("No trusted folders.").waitFor();
  openTrustStore(join(folder, "data"), () => undefined).trust(work, {
    "incipit.toml": sha256(config),
    "AGENTS.md": sha256("Be brief."),
  });
  await page.reload();
  const entry = page.getByRole("article", { name: work });
  await entry.waitFor();
  const lines = await entry.getByRole("listitem").allTextContents();
  const commands = await entry.locator(".command code").allTextContents();

  expect(lines).toContain("AGENTS.md: changed since it was trusted");
  expect(lines).toContain("incipit.toml: unchanged");
  expect(lines.join(" ")).toContain('starts the program "files-server"');
  expect(commands).toEqual([
    `incipit trust add '${folder}/it'\\''s work'`,
    `incipit trust remove '${folder}/it'\\''s work'`,
  ]);
  expect(await entry.getByRole("button").allTextContents()).toEqual(["Copy", "Copy"]);
});

test("[page-setup] a profile can be edited and tried, with the configuration to write", async (hosts) => {
  const { world, page } = await hosts.open({
    config: '[profiles.reviewer]\nmodel = "local/test"\nsystem_prompt = "Review on [system:os]."\n',
  });
  await page.goto(`${world.host.url}/#/host`);
  const entry = page.getByRole("article", { name: "reviewer" });
  await entry.getByText(/incipit\.toml:\d/).waitFor();
  await entry.locator("summary").click();
  const editor = entry.getByRole("textbox", { name: "Prompt of reviewer" });
  const before = await editor.inputValue();
  await editor.fill('Review "[system:os]" [if system:os]well[endif].');
  const preview = entry.getByRole("group", { name: /Preview/ });
  await preview.getByText(/well\./).waitFor();
  const lines = await entry.getByRole("group", { name: "Lines for the configuration" }).textContent();
  // By keyboard, since later content may move the button.
  await entry.getByRole("button", { name: "Start a conversation with it" }).press("Enter");
  await page.waitForURL(/#\/conversations\/[0-9a-f-]{36}$/);
  const id = /[0-9a-f-]{36}$/.exec(page.url())?.[0] ?? "";
  const { conversation } = await world.client.call(routes.getConversation, { params: { id } });

  expect(before).toBe("Review on [system:os].");
  expect(lines).toContain('system_prompt = "Review \\"[system:os]\\" [if system:os]well[endif]."');
  expect(Bun.TOML.parse(lines ?? "")).toEqual({
    profiles: {
      reviewer: { model: "local/test", system_prompt: 'Review "[system:os]" [if system:os]well[endif].' },
    },
  });
  expect(conversation.profile).toBe("reviewer");
});

test("[page-setup] the graph shows all extensions and dependencies, with links to swap reports", async (hosts) => {
  const { world, page } = await hosts.open();
  await page.goto(`${world.host.url}/#/host`);
  await page.locator(".graph-node").first().waitFor();
  const { extensions } = await world.client.call(routes.listExtensions);
  const names = await page.locator(".graph-node .graph-name").allTextContents();
  const edges = await page.locator("path.graph-edge title").allTextContents();
  await page.locator(".graph-node", { hasText: "system-prompt" }).click();
  const led = await page.locator(":focus").getAttribute("id");
  const entry = page.getByRole("article", { name: "system-prompt" });
  await entry.getByRole("button", { name: "Swap" }).click();
  const report = entry.getByRole("status");
  await report.waitFor();

  expect(names.toSorted()).toEqual(extensions.map(({ id }) => id).toSorted());
  expect(edges).toContain(
    "session-orchestrator → transport-http: approvals@1, conversations@1, conversation-records@1, file-changes@1, message-files@1, model-calls@1, client-conversations@1, step-records@1",
  );
  expect(led).toBe("extension-system-prompt");
  expect(await report.textContent()).toMatch(
    /^Swapped: from 0\.1\.0 \(1\) to 0\.1\.0 \(2\); \d+ ms; 0 calls finished/,
  );
});
