import { modelProvidersPoint, type ModelEvent, type ModelRequest } from "@incipit/service-contract";
import { startExtension, startRecordingModelServer } from "@incipit/testkit";
import anthropic from "@incipit/provider-anthropic";
import google from "@incipit/provider-google";
import openai from "@incipit/provider-openai";
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";
import * as z from "zod";
import { sayings, splitReplies, type Family, type Sayings } from "./tolerant-reader.ts";

const folder = join(import.meta.dir, "../../../shared/recorded");

const families: Readonly<Record<string, Family>> = {
  anthropic: "anthropic",
  google: "gemini",
  "openai-responses": "responses",
  "open-responses-responses": "responses",
  "xai-responses": "responses",
};

function familyOf(path: string): Family {
  const [vendor = ""] = path.split("/");
  if (vendor === "azure") return path.includes("deepseek") ? "chat" : "responses";
  return families[vendor] ?? "chat";
}

const kinds = {
  chat: { extension: openai, wire: "openai-chat", settings: { kind: "openai-compatible" } },
  responses: { extension: openai, wire: "openai-responses", settings: { kind: "openai" } },
  anthropic: { extension: anthropic, wire: "anthropic", settings: { kind: "anthropic" } },
  gemini: { extension: google, wire: "gemini", settings: { kind: "google" } },
} as const;

const request: Omit<ModelRequest, "signal"> = {
  model: "test-model",
  conversationId: "0190f0a0-0000-7000-8000-000000000001",
  cwd: "/work",
  purpose: "turn",
  systemPrompt: [],
  messages: [{ role: "user", parts: [{ type: "text", text: "Hello?" }] }],
  tools: [],
  observe: () => {},
};

async function read(family: Family, body: string): Promise<readonly ModelEvent[]> {
  const { extension, wire, settings } = kinds[family];
  await using scope = new AsyncDisposableStack();
  const server = scope.use(await startRecordingModelServer({ wire }));
  const endpoint = { ...settings, base_url: server.urlOf(wire), api_key_env: "TEST_KEY" };
  const started = scope.use(
    await startExtension(extension, {
      config: { providers: { local: endpoint } },
      env: { TEST_KEY: "test-0123456789" },
      net: server,
    }),
  );
  server.enqueue({ kind: "error", status: 200, headers: { "content-type": "text/event-stream" }, body });
  const signal = AbortSignal.timeout(60_000);
  return await Array.fromAsync(started.contribution(modelProvidersPoint).stream({ ...request, signal }));
}

function said(events: readonly ModelEvent[], { vendorCalls = [] }: Sayings): object {
  return {
    text: events.flatMap((event) => (event.type === "text-delta" ? [event.text] : [])).join(""),
    calls: events.flatMap((event) =>
      event.type === "tool-call" && !vendorCalls.includes(event.name)
        ? [[event.name, JSON.parse(event.input)]]
        : [],
    ),
    failure: events.flatMap((event) => (event.type === "failure" ? [event.error] : [])),
  };
}

/** A recording that becomes readable fails the test. */
const refused: ReadonlyMap<string, string> = new Map([
  ["anthropic/spliced-message-start.chunks.txt", "a second message begins in the middle of a call"],
  ["openai-responses/parallel-tool-call-wrapper.1.chunks.txt", "its first and last events are no JSON"],
]);

const typeSchema = z.looseObject({ type: z.string().optional() });
const paths = existsSync(folder) ? [...new Glob("*/*.chunks.txt").scanSync({ cwd: folder })].toSorted() : [];

test.each(paths.filter((path) => !refused.has(path)))(
  "recorded reply %s is parsed with its content",
  async (path) => {
    const family = familyOf(path);
    const lines = (await Bun.file(join(folder, path)).text()).split("\n").filter((line) => line.trim() !== "");
    for (const reply of splitReplies(family, lines)) {
      const body = reply.map((line) => {
        const { type } = typeSchema.parse(JSON.parse(line));
        return `${type === undefined || family === "chat" ? "" : `event: ${type}\n`}data: ${line}\n\n`;
      });
      const events = await read(family, `${body.join("")}${family === "chat" ? "data: [DONE]\n\n" : ""}`);
      const expected = sayings(family, reply);
      const failure = expected.hasFailed ? [expect.anything()] : [];
      expect(said(events, expected)).toEqual({ text: expected.text, calls: expected.calls, failure });
    }
  },
);

test.each([...refused].filter(([path]) => paths.includes(path)))(
  "recorded reply %s is rejected in one line: %s",
  async (path) => {
    const lines = (await Bun.file(join(folder, path)).text()).split("\n").filter((line) => line.trim() !== "");
    const end = (await read(familyOf(path), lines.map((line) => `data: ${line}\n\n`).join(""))).at(-1);
    expect(end?.type).toBe("failure");
    if (end?.type === "failure") expect(end.error.message).not.toMatch(/\n.*\n/s);
  },
);

test("the provider recordings exist next to the checkout in CI", () => {
  // Contributors with only a clone do not have them.
  if (process.env["CI"] === "true") expect(paths.length).toBeGreaterThan(100);
});
