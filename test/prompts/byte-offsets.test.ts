import { createTempFolder, startRecordingModelServer } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { incipit } from "../support/host-process.ts";
import { confirm } from "../terminal/answer.ts";
import { said } from "../terminal/said.ts";
import { newTerminalWorld } from "../terminal/terminal-world.ts";

/** Each character has different sizes in bytes, UTF-16 units and columns. */
const wide = "獺 🦦 é";
const template = `system_prompt = "${wide} [file:AGENTS.md] ${wide}"`;

const bodySchema = z.looseObject({ messages: z.array(z.looseObject({ role: z.string(), content: z.string() })) });

function systemOf(body: string): string {
  return bodySchema.parse(JSON.parse(body)).messages[0]?.content ?? "";
}

function firstByte(one: string, other: string): number {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.findIndex((byte, index) => byte !== right[index]);
}

function between(text: string, start: string | undefined, end: string | undefined): string {
  return Buffer.from(text).subarray(Number(start), Number(end)).toString();
}

function commaless(number: string | undefined): number {
  return Number(number?.replaceAll(",", ""));
}

test("[trial:utf16-offsets] explain, drift and audit use UTF-8 byte offsets, also after emoji and Chinese text", async () => {
  await using folder = await createTempFolder();
  await using model = await startRecordingModelServer();
  const home = await realpath(folder.path);
  const work = join(home, "work");
  await mkdir(work);
  const config = `model = "local/test"\n${template}\nproviders.local = { kind = "openai-compatible", base_url = "${model.url}" }\n`;
  await Bun.write(join(home, ".config/incipit/incipit.toml"), config);
  await Bun.write(join(work, "AGENTS.md"), `${wide} one`);
  const run = (...args: readonly string[]): ReturnType<typeof incipit> => incipit(args, { cwd: work, home });

  const { stderr } = await run(`${wide} first`);
  const id = /-s (\S+)/.exec(stderr)?.[1] ?? "";
  const explained = await run("conversations", "explain", id);
  await Bun.write(join(work, "AGENTS.md"), `${wide} two`);
  const drift = await run("conversations", "drift", id);
  await run("conversations", "rebuild", id);
  await run("-s", id, `${wide} second`);
  const audit = await run("audit", id);

  const [before = "", after = ""] = model.requests.map(({ body }) => body);
  const prompt = systemOf(before);
  const parts = [...explained.stdout.matchAll(/^ {2}(\d+)-(\d+) .* ("(?:[^"\\]|\\.)*")$/gm)];
  expect(parts).toHaveLength(3);
  for (const [, start, end, text = ""] of parts) expect(between(prompt, start, end)).toBe(JSON.parse(text));
  expect(parts.at(-1)?.[2]).toBe(String(Buffer.byteLength(prompt)));
  expect(drift.stdout).toContain(`from byte ${firstByte(prompt, systemOf(after))} of the prompt on`);
  const [, bodyByte, partByte] =
    /at byte ([\d,]+) of the request\s+\(byte ([\d,]+) of "system"\)/.exec(audit.stdout) ?? [];
  expect(commaless(bodyByte)).toBe(firstByte(before, after));
  const from = (byte: number): string => Buffer.from(after).subarray(byte).toString();
  expect(from(commaless(bodyByte))).toStartWith("two");
  expect(from(commaless(bodyByte) - commaless(partByte))).toStartWith('{"role":"system"');
}, 120_000);

test("[trial:utf16-offsets] the terminal: /explain, /drift and /audit use UTF-8 byte offsets", async () => {
  await using world = await newTerminalWorld({ config: template });
  await world.write("AGENTS.md", `${wide} one`);
  const sitting = await world.open({ columns: 160, rows: 60 });

  await said(sitting, `${wide} First`, "Reply 1");
  const explained = await said(sitting, "/explain", "SHA-256");
  await world.write("AGENTS.md", `${wide} two`);
  const drift = await said(sitting, "/drift", "A rebuild");
  sitting.enter("/rebuild");
  await confirm(sitting, "Rebuild");
  await sitting.sees("Rebuilt");
  await said(sitting, `${wide} Second`, "Reply 2");
  const audit = await said(sitting, "/audit", /at byte [\d,]+ of the request/);

  const [before = "", after = ""] = world.bodies;
  const file = firstByte(systemOf(before), systemOf(after));
  expect(explained).toMatch(
    new RegExp(`${file - Buffer.byteLength(`${wide} `)}-${file + 3} +\\[file:AGENTS\\.md\\]`),
  );
  expect(drift).toContain(`from byte ${file} of the prompt on`);
  expect(audit).toContain(`at byte ${firstByte(before, after)} of the request`);
}, 120_000);
