import { expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { acpTool } from "../acp-tools/acp-tools.ts";
import { createChatWorld } from "../openai-api/chat-world.ts";
import { prefixOf, systemTexts } from "../support/request-body.ts";

const resultSchema = z.looseObject({ is_error: z.boolean(), result: z.string(), session_id: z.string() });
const messagesSchema = z.looseObject({
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })),
});

test("[byte-prefix] claude-code works with a host model: a tool, a second question, and growing requests", async () => {
  await using world = await createChatWorld();
  const { host, model, cwd } = world;
  const home = join(cwd, "home");
  const work = join(home, "work");
  await mkdir(work, { recursive: true });
  await Bun.write(join(work, "note.txt"), "The tide is at nine.\n");
  const program = acpTool(`@anthropic-ai/claude-agent-sdk-${process.platform}-${process.arch}/claude`);
  const ask = async (...args: readonly string[]): Promise<z.infer<typeof resultSchema>> => {
    const child = Bun.spawn([program, "-p", ...args, "--output-format", "json"], {
      cwd: work,
      env: {
        PATH: process.env["PATH"] ?? "",
        HOME: home,
        LANG: "C.UTF-8",
        ANTHROPIC_BASE_URL: host.url,
        ANTHROPIC_AUTH_TOKEN: host.token,
        ANTHROPIC_MODEL: "local/test-model",
        ANTHROPIC_DEFAULT_HAIKU_MODEL: "local/test-model",
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        CLAUDE_CODE_TMPDIR: join(home, "tmp"),
      },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "ignore",
    });
    const [text] = await Promise.all([new Response(child.stdout).text(), child.exited]);
    return resultSchema.parse(JSON.parse(text));
  };
  const read = { id: "c1", name: "Read", arguments: JSON.stringify({ file_path: join(work, "note.txt") }) };
  model.enqueue({ kind: "tool-calls", calls: [read] }, { kind: "text", chunks: ["At nine."] });

  const first = await ask("When is the tide?", "--append-system-prompt", "Speak like an otter.");
  const second = await ask(
    "Are you sure?",
    "--resume",
    first.session_id,
    "--append-system-prompt",
    "Speak like an otter.",
  );

  expect([first, second].map(({ is_error: isError }) => isError)).toEqual([false, false]);
  expect(first.result).toBe("At nine.");
  const bodies = model.requests.map(({ body }) => body).filter((body) => body.includes("When is the tide?"));
  expect(bodies).toHaveLength(3);
  for (const body of bodies) expect(systemTexts(body).join("\n")).toContain("Speak like an otter.");
  const [, behindTool = "", last = ""] = bodies;
  expect(messagesSchema.parse(JSON.parse(behindTool)).messages.at(-1)).toMatchObject({
    role: "tool",
    content: expect.stringContaining("The tide is at nine."),
  });
  expect(behindTool).toStartWith(prefixOf(bodies[0] ?? ""));
  expect(last).toContain("Are you sure?");
}, 120_000);
