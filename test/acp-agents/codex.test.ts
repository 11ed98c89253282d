import { expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { acpTool } from "../acp-tools/acp-tools.ts";
import { createChatWorld } from "../openai-api/chat-world.ts";
import { prefixOf, systemTexts } from "../support/request-body.ts";

const targets: Readonly<Record<string, string>> = {
  x64: "x86_64-unknown-linux-musl",
  arm64: "aarch64-unknown-linux-musl",
};
const messagesSchema = z.looseObject({
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })),
});
const eventSchema = z.looseObject({
  type: z.string(),
  thread_id: z.string().optional(),
  item: z.looseObject({ type: z.string(), text: z.string().optional() }).optional(),
});

test("[byte-prefix] codex works with host responses: a command, a second question, and growing requests", async () => {
  await using world = await createChatWorld();
  const { host, model, cwd } = world;
  const home = join(cwd, "home");
  const work = join(home, "work");
  await mkdir(work, { recursive: true });
  await Bun.write(join(work, "note.txt"), "The tide is at nine.\n");
  const settings = `model = "local/test-model"
model_provider = "incipit"
[model_providers.incipit]
name = "incipit"
base_url = "${world.baseURL}"
wire_api = "responses"
env_key = "INCIPIT_TOKEN"
[analytics]
enabled = false
`;
  await Bun.write(join(home, ".codex/config.toml"), settings);
  const target = targets[process.arch] ?? "";
  const program = acpTool(`@openai/codex-linux-${process.arch}/vendor/${target}/bin/codex`);
  const ask = async (...args: readonly string[]): Promise<readonly z.infer<typeof eventSchema>[]> => {
    const flags = ["--skip-git-repo-check", "--json", "--dangerously-bypass-approvals-and-sandbox"];
    const child = Bun.spawn([program, "exec", ...flags, ...args], {
      cwd: work,
      env: { PATH: process.env["PATH"] ?? "", HOME: home, LANG: "C.UTF-8", INCIPIT_TOKEN: host.token },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "ignore",
    });
    const [text] = await Promise.all([new Response(child.stdout).text(), child.exited]);
    return text
      .trim()
      .split("\n")
      .map((line) => eventSchema.parse(JSON.parse(line)));
  };
  const command = { id: "c1", name: "exec_command", arguments: JSON.stringify({ cmd: "cat note.txt" }) };
  model.enqueue({ kind: "tool-calls", calls: [command] }, { kind: "text", chunks: ["At ", "nine."] });

  const first = await ask("When is the tide?");
  const thread = first.find(({ type }) => type === "thread.started")?.thread_id ?? "";
  const second = await ask("resume", thread, "Are you sure?");

  const saidIn = (events: typeof first): readonly unknown[] =>
    events.flatMap(({ item }) => (item?.type === "agent_message" ? [item.text] : []));
  expect(saidIn(first)).toContain("At nine.");
  expect(saidIn(second)).toHaveLength(1);
  const bodies = model.requests.map(({ body }) => body);
  const [before = "", behindTool = "", last = ""] = bodies;
  expect(bodies).toHaveLength(3);
  for (const body of bodies) expect(systemTexts(body).join("\n")).toContain("Codex");
  expect(messagesSchema.parse(JSON.parse(behindTool)).messages.at(-1)).toMatchObject({
    role: "tool",
    content: expect.stringContaining("The tide is at nine."),
  });
  expect(behindTool).toStartWith(prefixOf(before));
  expect(last).toContain("Are you sure?");
}, 120_000);
