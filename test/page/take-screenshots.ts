/** Retakes the screenshots of the README: `bun run screenshots`. */
import { join } from "node:path";
import type { Page } from "playwright-core";
import { PageWorld } from "./page-world.ts";

const folder = join(import.meta.dir, "../../docs/images");
const viewport = { width: 1280, height: 800 };

const template = `You are a careful reviewer.

[if git:branch]The branch is [git:branch].[else]This is no repository.[endif]

[if file:AGENTS.md]Rules of this folder:
[file:AGENTS.md][else]This folder has no rules of its own.[endif]
You work on [system:os], in [prompt:cwd].
`;

const reply = `Two things before this can go in:

1. \`parseDate\` takes **local** time, and the log is in UTC.
2. The new test never fails. This one does:

\`\`\`ts
test("parseDate reads UTC", () => {
  expect(parseDate("2026-11-23").toISOString()).toBe("2026-11-23T00:00:00.000Z");
});
\`\`\`
`;

async function picture(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(folder, `${name}.png`) });
}

async function say(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "Message" }).fill(text);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Continue from here" }).last().waitFor();
}

await using world = await PageWorld.start({ viewport, colorScheme: "light" });
await Bun.write(join(world.folder, "AGENTS.md"), "- Tests first.\n- No abbreviations in names.\n");
await world.host.json("/system-prompt", { method: "PUT", body: { template } });
const page = await world.signIn();
const usage = { inputTokens: 1_240, outputTokens: 96, cacheReadTokens: 0 };
world.model.enqueue(
  { kind: "text", chunks: [reply], usage },
  {
    kind: "text",
    chunks: ["Yes: with that it can."],
    usage: { ...usage, inputTokens: 1_390, cacheReadTokens: 1_240 },
  },
);
await say(page, "Can this change go in?");
await picture(page, "conversation");
await say(page, "And with both mended?");
await page.getByRole("link", { name: "Request inspector" }).click();
await page.getByRole("heading", { name: "Request inspector" }).waitFor();
await page.waitForLoadState("networkidle");
await picture(page, "told");
await page.getByRole("link", { name: "System prompt" }).first().click();
await page.getByText("Tests first.").first().waitFor();
await page.getByText("Insert", { exact: true }).click();
await picture(page, "prompt");
process.exit(0);
