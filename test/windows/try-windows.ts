/**
 * `bun test/windows/try-windows.ts incipit.exe`, on Windows, or on Linux with Wine 10 or newer, whose drive Z: is the
 * root folder. Exits with 1 when a check fails.
 */
import { createTempFolder, startRecordingModelServer, type RecordingModelServer } from "@incipit/testkit";
import { mkdir, realpath } from "node:fs/promises";
import { join, resolve } from "node:path";

const runTimeoutMs = 120_000;
const isWindows = process.platform === "win32";
const file = resolve(process.argv[2] ?? "incipit.exe");

function native(path: string): string {
  return isWindows ? path : `Z:${path.replaceAll("/", "\\")}`;
}

interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

class World {
  readonly folder: string;
  readonly model: RecordingModelServer;

  constructor(folder: string, model: RecordingModelServer) {
    this.folder = folder;
    this.model = model;
  }

  async prepare(): Promise<void> {
    await mkdir(join(this.folder, "work"), { recursive: true });
    await Bun.write(join(this.folder, "work/AGENTS.md"), "The rule is: one.\n");
    const provider = `[providers.local]\nkind = "openai-compatible"\nbase_url = "${this.model.url}"\n`;
    const text = `model = "local/m"\ntools = { workspace = true }\n${provider}[providers.local.models.m]\ncontext_window = 100000\n`;
    await Bun.write(join(this.folder, "incipit.toml"), text);
  }

  async run(args: readonly string[]): Promise<Ran> {
    const [config, data] = ["incipit.toml", "data"].map((name) => native(join(this.folder, name)));
    const options = ["--config", config ?? "", "--data", data ?? ""];
    const child = Bun.spawn([...(isWindows ? [file] : ["wine", file]), ...args, ...options], {
      cwd: join(this.folder, "work"),
      env: { ...process.env, WINEDEBUG: "-all" },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
      timeout: runTimeoutMs,
    });
    const [stdout, stderr] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    return { exitCode: await child.exited, stdout, stderr };
  }

  async use(name: string, args: object): Promise<string> {
    const call = { id: crypto.randomUUID(), name, arguments: JSON.stringify(args) };
    this.model.enqueue({ kind: "tool-calls", calls: [call] }, { kind: "text", chunks: ["Done."] });
    const { stderr } = await this.run(["Please do it", "--allow", name]);
    const body = this.model.requests.at(-1)?.body ?? "";
    return `${body}\n${stderr}`;
  }
}

const tries: Readonly<Record<string, (world: World) => Promise<boolean>>> = {
  "it starts": async (world) => (await world.run(["--version"])).exitCode === 0,
  "a question is answered, with the rules of the folder": async (world) => {
    const { stdout } = await world.run(["Hello"]);
    return stdout.includes("Reply 1") && (world.model.requests.at(-1)?.body.includes("The rule is: one.") ?? false);
  },
  "the conversation goes on": async (world) => {
    await world.run(["-c", "And again"]);
    return world.model.requests.at(-1)?.body.includes("Hello") ?? false;
  },
  "it is listed": async (world) => (await world.run(["list"])).stdout.includes("Hello"),
  "what was sent is audited": async (world) =>
    (await world.run(["audit"])).stdout.includes("2 model calls: 1 with an intact prefix"),
  "a file is read": async (world) =>
    (await world.use("read_file", { path: "AGENTS.md" })).includes("The rule is: one.\\n"),
  "files are searched": async (world) =>
    (await world.use("search", { pattern: "rule is" })).includes("AGENTS.md:1:"),
  "a file is written, in a new folder": async (world) => {
    await world.use("write_file", { path: "sub/new.txt", content: "made\n" });
    return (await Bun.file(join(world.folder, "work/sub/new.txt")).text()) === "made\n";
  },
  "a file is edited": async (world) => {
    await world.use("edit_file", { path: "sub/new.txt", oldText: "made", newText: "edited" });
    return (await Bun.file(join(world.folder, "work/sub/new.txt")).text()) === "edited\n";
  },
  "no file outside of the folder is read": async (world) => {
    await Bun.write(join(world.folder, "outside.txt"), "the secret of outside");
    const answers = [
      await world.use("read_file", { path: "..\\outside.txt" }),
      await world.use("read_file", { path: native(join(world.folder, "outside.txt")) }),
    ];
    return answers.every((answer) => !answer.includes("the secret of outside"));
  },
  "the host's own data is read by no tool": async (world) => {
    const token = (await Bun.file(join(world.folder, "data/token")).text()).trim();
    return !(await world.use("read_file", { path: "..\\data\\token" })).includes(token);
  },
  "a command runs, or is said to need sh": async (world) =>
    /hello from sh|Git for Windows/.test(await world.use("shell", { command: "echo hello from sh" })),
  "an extension is written, added and used": async (world) => {
    await world.run(["extensions", "new", "weather", "--tool"]);
    const added = await world.run(["extensions", "add", "weather", "--yes"]);
    return added.exitCode === 0 && (await world.use("weather_greet", { name: "Ada" })).includes("Hello, Ada");
  },
  "doctor finds nothing wrong": async (world) => (await world.run(["doctor"])).exitCode === 0,
  "what lies where is told": async (world) =>
    (await world.run(["uninstall"])).stdout.includes(native(join(world.folder, "data"))),
};

await using temp = await createTempFolder();
await using model = await startRecordingModelServer();
const world = new World(await realpath(temp.path), model);
await world.prepare();
let failed = 0;
for (const [what, isTrue] of Object.entries(tries)) {
  const isRight = await isTrue(world).catch((error: unknown) => {
    process.stdout.write(`${String(error)}\n`);
    return false;
  });
  if (!isRight) failed += 1;
  process.stdout.write(`${isRight ? "ok  " : "FAIL"} ${what}\n`);
}
process.exitCode = failed === 0 ? 0 : 1;
