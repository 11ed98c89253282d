import { expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { acpTool } from "../acp-tools/acp-tools.ts";
import { createChatWorld, type ChatWorld } from "../openai-api/chat-world.ts";
import { prefixOf, systemTexts } from "../support/request-body.ts";

const messagesSchema = z.looseObject({
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })),
});
const callsSchema = z.looseObject({ calls: z.array(z.looseObject({ status: z.string() })) });

/** Title requests have no tools. */
function isOfConversation(body: string): boolean {
  return body.includes('"tools"') && body.includes("When is the tide?");
}

interface StartedProgram {
  readonly command: readonly string[];
  readonly goesOn: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

interface ProgramOptions {
  readonly home: string;
  readonly host: ChatWorld["host"];
}

interface Program {
  readonly name: string;
  readonly read: { readonly name: string; readonly input: (path: string) => object };
  /** Keeps its requests' prefix into the next question. */
  readonly keepsPrefix?: boolean;
  readonly system?: string;
  readonly start: (options: ProgramOptions) => Promise<StartedProgram>;
}

const programs: readonly Program[] = [
  ...["@ai-sdk/anthropic", "@ai-sdk/openai"].map((npm) => ({
    name: `opencode with ${npm}`,
    read: { name: "read", input: (filePath: string) => ({ filePath }) },
    start: (options: ProgramOptions) => startOpencode(options, npm),
  })),
  ...["anthropic-messages", "openai-responses", "openai-completions"].map((api) => ({
    name: `pi with ${api}`,
    read: { name: "read", input: (path: string) => ({ path }) },
    start: (options: ProgramOptions) => startPi(options, api),
  })),
  {
    name: "claude-code",
    read: { name: "Read", input: (path) => ({ file_path: path }) },
    keepsPrefix: false,
    system: "Speak like an otter.",
    start: startClaude,
  },
  {
    name: "codex",
    read: { name: "exec_command", input: (path) => ({ cmd: `cat ${path}` }) },
    keepsPrefix: false,
    system: "Codex",
    start: startCodex,
  },
];

for (const { name, read, keepsPrefix = true, system = "", start } of programs)
  test(`[byte-prefix] ${name} works with a host model: a tool, a second question, and growing requests`, async () => {
    await using world = await createChatWorld();
    const { host, model, cwd } = world;
    const home = join(cwd, "home");
    const work = join(home, "work");
    await mkdir(work, { recursive: true });
    await Bun.write(join(work, "note.txt"), "The tide is at nine.\n");
    const { command, goesOn, env } = await start({ home, host });
    const ask = async (...args: readonly string[]): Promise<string> => {
      const child = Bun.spawn([...command, ...args], {
        cwd: work,
        env: { PATH: process.env["PATH"] ?? "", HOME: home, LANG: "C.UTF-8", ...env },
        stdin: "ignore",
        stdout: "pipe",
        stderr: "pipe",
        timeout: 50_000,
      });
      const [out, problems] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
      ]);
      if ((await child.exited) !== 0) throw new Error(`${name} failed: ${out}${problems}`);
      return out;
    };
    const input = JSON.stringify(read.input(join(work, "note.txt")));
    model.answer = (body) => {
      if (!isOfConversation(body)) return { kind: "text", chunks: ["Tides"] };
      if (body.includes("Are you sure?")) return { kind: "text", chunks: ["Quite sure."] };
      if (body.includes("The tide is at nine.")) return { kind: "text", chunks: ["At nine."] };
      return { kind: "tool-calls", calls: [{ id: "c1", name: read.name, arguments: input }] };
    };

    const first = await ask("When is the tide?");
    const second = await ask(...goesOn, "Are you sure?");

    expect(first).toContain("At nine.");
    expect(second).toContain("Quite sure.");
    const bodies = model.requests.map(({ body }) => body).filter(isOfConversation);
    expect(bodies).toHaveLength(3);
    const [asked = "", behindTool = "", last = ""] = bodies;
    for (const body of bodies) expect(systemTexts(body).join("\n")).toContain(system);
    expect(systemTexts(asked).join("\n")).not.toContain("Be of use.");
    expect(messagesSchema.parse(JSON.parse(behindTool)).messages.at(-1)).toMatchObject({
      role: "tool",
      content: expect.stringContaining("The tide is at nine."),
    });
    expect(behindTool).toStartWith(prefixOf(asked));
    if (keepsPrefix) expect(last).toStartWith(prefixOf(behindTool));
    const { calls } = callsSchema.parse(await host.json("/calls"));
    expect(new Set(calls.map(({ status }) => status))).toEqual(new Set(["completed"]));
  }, 120_000);

async function startOpencode({ home, host }: ProgramOptions, npm: string): Promise<StartedProgram> {
  // Installs a package for plugins in its first conversation.
  await Bun.write(join(home, ".npmrc"), "registry=http://127.0.0.1:9\nfetch-retries=0\n");
  const provider = {
    npm,
    options: { baseURL: `${host.url}/v1`, apiKey: "{env:INCIPIT_TOKEN}" },
    models: { "local/test-model": { name: "local" } },
  };
  const config = {
    autoupdate: false,
    share: "disabled",
    model: "incipit/local/test-model",
    small_model: "incipit/local/test-model",
    enabled_providers: ["incipit"],
    provider: { incipit: provider },
  };
  await Bun.write(join(home, ".config/opencode/opencode.json"), JSON.stringify(config));
  return {
    command: [acpTool(`opencode-${process.platform}-${process.arch}/bin/opencode`), "run"],
    goesOn: ["--continue"],
    env: {
      INCIPIT_TOKEN: host.token,
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
    },
  };
}

async function startPi({ home, host }: ProgramOptions, api: string): Promise<StartedProgram> {
  const incipit = {
    baseUrl: api === "anthropic-messages" ? host.url : `${host.url}/v1`,
    api,
    apiKey: "$INCIPIT_TOKEN",
    models: [{ id: "local/test-model" }],
  };
  await Bun.write(join(home, ".pi/agent/models.json"), JSON.stringify({ providers: { incipit } }));
  const settings = { defaultProvider: "incipit", defaultModel: "local/test-model", quietStartup: true };
  await Bun.write(join(home, ".pi/agent/settings.json"), JSON.stringify(settings));
  return {
    command: [process.execPath, acpTool("@earendil-works/pi-coding-agent/dist/bundle/cli.js"), "-p"],
    goesOn: ["--continue"],
    env: { INCIPIT_TOKEN: host.token, PI_OFFLINE: "1", PI_TELEMETRY: "0" },
  };
}

function startClaude({ home, host }: ProgramOptions): Promise<StartedProgram> {
  const program = acpTool(`@anthropic-ai/claude-agent-sdk-${process.platform}-${process.arch}/claude`);
  return Promise.resolve({
    command: [program, "-p", "--append-system-prompt", "Speak like an otter."],
    goesOn: ["--continue"],
    env: {
      ANTHROPIC_BASE_URL: host.url,
      ANTHROPIC_AUTH_TOKEN: host.token,
      ANTHROPIC_MODEL: "local/test-model",
      ANTHROPIC_DEFAULT_HAIKU_MODEL: "local/test-model",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      CLAUDE_CODE_TMPDIR: join(home, "tmp"),
    },
  });
}

async function startCodex({ home, host }: ProgramOptions): Promise<StartedProgram> {
  const config = `model = "local/test-model"
model_provider = "incipit"
[model_providers.incipit]
name = "incipit"
base_url = "${host.url}/v1"
wire_api = "responses"
env_key = "INCIPIT_TOKEN"
[analytics]
enabled = false
`;
  await Bun.write(join(home, ".codex/config.toml"), config);
  const target = process.arch === "arm64" ? "aarch64-unknown-linux-musl" : "x86_64-unknown-linux-musl";
  const program = acpTool(`@openai/codex-linux-${process.arch}/vendor/${target}/bin/codex`);
  return {
    command: [program, "exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"],
    goesOn: ["resume", "--last"],
    env: { INCIPIT_TOKEN: host.token },
  };
}
