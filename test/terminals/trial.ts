import { createTempFolder, startRecordingModelServer, type ModelReply } from "@incipit/testkit";
import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { Sitting, type SittingOptions } from "../terminal/sitting.ts";
import type { StartedTerminal, TriedWorld } from "./start-terminals.ts";
import type { TriedTerminal } from "./tried-terminals.ts";

type Verdict = "yes" | "partly" | "no";

export interface Finding {
  readonly row: string;
  readonly verdict: Verdict;
  readonly saw: string;
}

const usage = { inputTokens: 12_000, outputTokens: 500, cacheReadTokens: 8_000 };

export const toldSentence = "Count the tides aloud.";

export const title = "Tell me of tides";

export function text(answer: string, more: { readonly isCold?: boolean } = {}): ModelReply {
  return { kind: "text", chunks: [answer], usage: more.isCold === true ? { ...usage, cacheReadTokens: 0 } : usage };
}

/** Title requests have no tools, or declare their purpose. */
function isOfConversation(body: string): boolean {
  return body.includes('"tools"') && !body.includes(String.raw`thread_source\":\"thread_title`);
}

export class Trial implements AsyncDisposable {
  readonly program: TriedTerminal;
  readonly world: TriedWorld;
  readonly started: StartedTerminal;
  /** Titles and the like get a fixed text. */
  answer: () => ModelReply = () => text("Fine, nine.");
  readonly #stack: AsyncDisposableStack;

  private constructor(
    program: TriedTerminal,
    world: TriedWorld,
    started: StartedTerminal,
    stack: AsyncDisposableStack,
  ) {
    this.program = program;
    this.world = world;
    this.started = started;
    this.#stack = stack;
    world.model.answer = (body) => (isOfConversation(body) ? this.answer() : text(title));
  }

  static async begin(program: TriedTerminal): Promise<Trial> {
    await using stack = new AsyncDisposableStack();
    const folder = await createTempFolder();
    stack.defer(async () => {
      await Promise.resolve(folder[Symbol.asyncDispose]()).catch(() => {}); // Background processes may still write.
    });
    const model = stack.use(await startRecordingModelServer());
    const home = await realpath(folder.path);
    const work = join(home, "work");
    await mkdir(work);
    await Bun.write(join(work, "tides.md"), "one\ntwo\nthree\n");
    await Bun.write(join(work, "src/parser.ts"), "export const tideLimit = 1;\n");
    await Bun.write(join(work, "AGENTS.md"), `${toldSentence}\n`);
    await Bun.write(join(work, "CLAUDE.md"), `${toldSentence}\n`);
    Bun.spawnSync(["git", "init", "--quiet"], { cwd: work });
    const world = { home, work, model };
    const started = await program.start(world);
    return new Trial(program, world, started, stack.move());
  }

  sit(options: Partial<SittingOptions> = {}): Sitting {
    const { home, work } = this.world;
    const { command, args = [], env } = this.started;
    return this.#stack.use(
      new Sitting({
        command,
        cwd: work,
        home,
        columns: 110,
        rows: 34,
        ...options,
        args: options.command === undefined ? [...args, ...(options.args ?? [])] : [],
        env: { ...env, ...options.env },
      }),
    );
  }

  async open(options: Partial<SittingOptions> = {}): Promise<Sitting> {
    const sitting = this.sit(options);
    await this.sees(sitting, this.program.isReady, 20_000);
    await this.rest(3_000);
    return sitting;
  }

  async sees(sitting: Sitting, wanted: string | RegExp, ms = 6_000): Promise<boolean> {
    const seen = sitting.sees(wanted).then(
      () => true,
      () => false,
    );
    return Promise.race([seen, Bun.sleep(ms).then(() => false)]);
  }

  /** Fixed pause: other programs signal no end of drawing. */
  rest(ms = 1_500): Promise<void> {
    return Bun.sleep(ms);
  }

  /** Enter is a separate key: some programs take simultaneous input for a paste. */
  async say(sitting: Sitting, message: string): Promise<void> {
    sitting.type(message);
    await this.rest(700);
    sitting.type("\r");
  }

  async clear(sitting: Sitting): Promise<void> {
    sitting.type("\u007F".repeat(120));
    await this.rest(500);
  }

  sent(): readonly string[] {
    const requests = this.world.model.requests.filter(({ path }) => !path.endsWith("/count_tokens"));
    return requests.map(({ body }) => body).filter(isOfConversation);
  }

  async isSent(fits: (body: string) => boolean, ms = 8_000): Promise<boolean> {
    const until = Date.now() + ms;
    while (Date.now() < until) {
      if (this.sent().some(fits)) return true;
      await Bun.sleep(100);
    }
    return false;
  }

  async run(args: readonly string[], input = ""): Promise<string> {
    const { home, work } = this.world;
    const child = Bun.spawn([...this.started.command, ...args], {
      cwd: work,
      env: { PATH: process.env["PATH"] ?? "", HOME: home, LANG: "C.UTF-8", ...this.started.env },
      stdin: new Blob([input]),
      stdout: "pipe",
      stderr: "ignore",
      timeout: 40_000,
    });
    return new Response(child.stdout).text();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }
}

export function newRows(before: string, after: string): string {
  const old = new Set(before.split("\n").map((row) => row.trim()));
  const rows = after.split("\n").map((row) => row.trim());
  return rows.filter((row) => row !== "" && !old.has(row) && /[\p{L}\p{N}]/u.test(row)).join(" ⏎ ");
}

export function rowWith(screen: string, wanted: RegExp): string {
  return (
    screen
      .split("\n")
      .find((row) => wanted.test(row))
      ?.trim() ?? ""
  );
}
