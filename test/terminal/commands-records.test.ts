import { expect, test } from "bun:test";
import { join } from "node:path";
import { confirm } from "./answer.ts";
import { expectScreen, said } from "./said.ts";
import type { Sitting } from "./sitting.ts";
import { newTerminalWorld, type TerminalWorld } from "./terminal-world.ts";

const config = `
system_prompt = "You help people who write programs. Rules of this folder:\\n[file:AGENTS.md]\\n"
append_system_prompt = "Answer in English."
[mcp.servers.files]
command = ${JSON.stringify(process.execPath)}
args = [${JSON.stringify(join(import.meta.dir, "../../packages/host-bin/src/mcp-tools/testing/mcp-fixture-server.ts"))}]
[providers.local.models.other]
context_window = 2_000
prices = { input = 1, output = 2, cache_read = 0.1 }`;

const files = { "AGENTS.md": "Be brief, be kind, and say what you do not know.\n" };

async function turn(
  { model, sitting }: { readonly model: TerminalWorld["model"]; readonly sitting: Sitting },
  {
    text,
    counted,
  }: { readonly text: string; readonly counted: readonly [input: number, cached: number, output: number] },
): Promise<void> {
  const [inputTokens, cacheReadTokens, outputTokens] = counted;
  model.enqueue({
    kind: "text",
    chunks: [`Of ${text}: yes.`],
    usage: { inputTokens, cacheReadTokens, outputTokens },
  });
  await said(sitting, text, `Of ${text}: yes.`);
  await sitting.sees(new RegExp(String.raw`${inputTokens} tokens`));
}

for (const columns of [50, 80]) {
  test(`/context, /cost and /audit show window, cost and model calls, at ${columns} columns`, async () => {
    await using made = await newTerminalWorld({ config, files });
    const { model } = made;
    const sitting = await made.open({ columns, rows: 60 });
    const first = await said(sitting, "/context", "four bytes");
    await turn({ model, sitting }, { text: "the parser", counted: [410, 0, 20] });
    await turn({ model, sitting }, { text: "its tests", counted: [450, 400, 25] });
    await made.write("AGENTS.md", "Be quick.\n");
    sitting.enter("/rebuild");
    await confirm(sitting, "Rebuild");
    await sitting.sees("Rebuilt");
    await said(sitting, "/model local/other", "local/other answers from now on");
    await turn({ model, sitting }, { text: "the rest", counted: [470, 0, 30] });

    const context = await said(sitting, "/context", "The vendor counted the total");
    const cost = await said(sitting, "/cost", "Today");
    const audit = await said(sitting, "/audit", "Cost of the input");

    await expectScreen(first, { name: "context-before", columns });
    await expectScreen(context, { name: "context", columns });
    await expectScreen(cost, { name: "cost", columns });
    await expectScreen(audit, { name: "audit", columns });
  }, 90_000);
}

test("/audit marks cache breaks with byte and fix; /cost marks unknown prices", async () => {
  await using made = await newTerminalWorld({
    config: `system_prompt = "At [system:time]: you help."\nprompt_refresh = "turn"`,
    facts: "context_window = 1_000",
  });
  const sitting = await made.open({ rows: 60 });
  await said(sitting, "Hello there", "Reply 1");
  await said(sitting, "Once more", "Reply 2");

  const audit = await said(sitting, "/audit", "of the sent bytes");
  const cost = await said(sitting, "/cost", "unknown prices");

  expect(audit).toMatch(/^! +2 /m);
  expect(audit).toContain("[system:time]");
  expect(audit).toMatch(/at byte \d+ of the request/);
  expect(audit).toContain("-> ");
  expect(cost).toMatch(/This conversation +2 +40 +40 % +10 +unknown/);
}, 60_000);

test("/audit and /cost report a conversation without calls", async () => {
  await using made = await newTerminalWorld();
  const sitting = await made.open();

  await said(sitting, "/audit", "No model calls yet");
  await said(sitting, "/cost", "No model was called today");
}, 60_000);
