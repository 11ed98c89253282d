import { createTempFolder, startRecordingModelServer, type ModelReply } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { HostProcess, incipit, type CommandResult } from "../support/host-process.ts";

interface End {
  readonly name: string;
  readonly reply: ModelReply;
  readonly exitCode: number;
  readonly stdout: string;
  readonly notice?: string;
  readonly turnEnd: object;
}

const ends: readonly End[] = [
  {
    name: "whole",
    reply: { kind: "text", chunks: ["Half"] },
    exitCode: 0,
    stdout: "Half\n",
    turnEnd: { status: "completed" },
  },
  {
    name: "length",
    reply: { kind: "text", chunks: ["Half"], end: "length" },
    exitCode: 6,
    stdout: "Half\n",
    notice: "reply is cut off: it reached the model's output limit",
    turnEnd: { status: "completed", cutReason: "length" },
  },
  {
    name: "length without text",
    reply: { kind: "text", chunks: [], end: "length" },
    exitCode: 6,
    stdout: "",
    notice: "reached its output limit before any output",
    turnEnd: { status: "failed", error: { code: "OUTPUT_LIMIT" } },
  },
  {
    name: "refusal",
    reply: { kind: "text", chunks: ["Half"], end: "content-filter" },
    exitCode: 7,
    stdout: "Half\n",
    notice: "reply is incomplete: the model's vendor blocked it",
    turnEnd: { status: "completed", cutReason: "content-filter" },
  },
  {
    name: "refusal without text",
    reply: { kind: "text", chunks: [], end: "content-filter" },
    exitCode: 7,
    stdout: "",
    notice: "refused to answer",
    turnEnd: { status: "failed", error: { code: "REPLY_REFUSED" } },
  },
  {
    name: "break after text",
    reply: { kind: "cut", chunks: ["Half"] },
    exitCode: 1,
    stdout: "Half\n",
    notice: "stopped in the middle of its reply",
    turnEnd: { status: "failed", error: { code: "CUT_OFF" } },
  },
];

const lineSchema = z.looseObject({ type: z.string() });

for (const { name, reply, exitCode, stdout, notice, turnEnd } of ends)
  for (const wire of ["openai-chat", "anthropic"] as const)
    test(`a reply over ${wire} with the end "${name}" has one outcome in every output`, async () => {
      await using folder = await createTempFolder();
      await using model = await startRecordingModelServer();
      const home = await realpath(folder.path);
      const cwd = join(home, "work");
      await mkdir(cwd);
      const kind = wire === "anthropic" ? "anthropic" : "openai-compatible";
      const provider = `{ kind = "${kind}", base_url = "${model.urlOf(wire)}", api_key_env = "TEST_KEY" }`;
      const config = join(home, ".config/incipit/incipit.toml");
      await Bun.write(config, `model = "local/test"\nproviders.local = ${provider}\n`);
      const run = (...args: readonly string[]): Promise<CommandResult> =>
        incipit(args, { cwd, home, env: { TEST_KEY: "test-0123456789" } });
      model.enqueue(reply, reply);

      const asked = await run("-q", "-o", "answer.md", "Hello");
      const [history, json] = [await run("conversations", "history", "-c"), await run("--json", "Hello")];

      expect(asked).toMatchObject({ exitCode, stdout });
      expect(json.exitCode).toBe(exitCode);
      expect(lineSchema.parse(JSON.parse(json.stdout.trim().split("\n").at(-1) ?? ""))).toMatchObject({
        type: "turn-end",
        ...turnEnd,
      });
      expect(asked.stderr.trim().split("\n")).toHaveLength(1);
      expect(asked.stderr).toContain(notice ?? "");
      expect(history.stdout).toContain(stdout.trim());
      expect(history.stdout).toContain(notice === undefined ? "" : notice);
      const written = Bun.file(join(cwd, "answer.md"));
      expect(await written.exists()).toBe(exitCode !== 1 && stdout !== "");
    }, 60_000);

for (const chunks of [["Half"], []])
  test(`the provider's words for a refusal ${chunks.length === 0 ? "without" : "after"} text are appended everywhere, bounded and redacted`, async () => {
    await using folder = await createTempFolder();
    await using model = await startRecordingModelServer();
    const home = await realpath(folder.path);
    const key = "sk-ant-0123456789-abcdefghij";
    const config = join(home, ".config/incipit/incipit.toml");
    const provider = `{ kind = "anthropic", base_url = "${model.urlOf("anthropic")}", api_key_env = "TEST_KEY" }`;
    await Bun.write(config, `model = "local/test"\nproviders.local = ${provider}\n`);
    const run = (...args: readonly string[]): Promise<CommandResult> =>
      incipit(args, { cwd: home, home, env: { TEST_KEY: key } });
    const explanation = `Against our policy\non ${key}. ${"x".repeat(5_000)}`;
    const reply = { kind: "text", chunks, end: "content-filter", explanation } as const;
    model.enqueue(reply, reply);

    const asked = await run("-q", "Hello");
    const [history, json] = [await run("conversations", "history", "-c"), await run("--json", "Hello")];

    const says = `${chunks.length === 0 ? "it says" : "vendor message"}: Against our policy on `;
    expect([asked.exitCode, json.exitCode]).toEqual([7, 7]);
    for (const text of [asked.stderr, history.stdout]) {
      expect(text).toContain(says);
      expect(text).not.toContain(key);
      expect(text.length).toBeLessThan(2_000);
    }
    const end = lineSchema.parse(JSON.parse(json.stdout.trim().split("\n").at(-1) ?? ""));
    expect(JSON.stringify(end)).toContain("Against our policy");
    expect(JSON.stringify(end)).not.toContain(key);
  }, 60_000);

const cuts = [
  { end: "length", chat: "length", messages: "max_tokens", responses: "max_output_tokens" },
  { end: "content-filter", chat: "content_filter", messages: "refusal", responses: "content_filter" },
] as const;

for (const { end, ...words } of cuts)
  test(`the compatible routes report "${end}" in their own format, with and without text`, async () => {
    await using folder = await createTempFolder();
    await using model = await startRecordingModelServer();
    const config = join(folder.path, "incipit.toml");
    const provider = `{ kind = "openai-compatible", base_url = "${model.url}" }`;
    await Bun.write(config, `model = "local/test"\nproviders.local = ${provider}\n`);
    await using host = await HostProcess.start({ data: join(folder.path, "data"), config, cwd: folder.path });
    const messages = [{ role: "user", content: "Hello" }];
    for (const chunks of [["Half"], []]) {
      const reply = { kind: "text", chunks, end } as const;
      model.enqueue(reply, reply, reply);
      const text = chunks.join("");

      const post = { method: "POST" } as const;
      const asked = { model: "local/test" } as const;
      const chat = await host.json("/v1/chat/completions", { ...post, body: { ...asked, messages } });
      const said = await host.json("/v1/messages", { ...post, body: { ...asked, max_tokens: 10, messages } });
      const response = await host.json("/v1/responses", { ...post, body: { ...asked, input: "Hello" } });

      expect(chat).toMatchObject({ choices: [{ finish_reason: words.chat }] });
      expect(said).toMatchObject({ stop_reason: words.messages, content: text === "" ? [] : [{ text }] });
      expect(response).toMatchObject({ status: "incomplete", incomplete_details: { reason: words.responses } });
    }
  }, 60_000);
