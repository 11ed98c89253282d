import { within } from "./within.ts";

export interface ScreenOptions {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

export class Screen implements AsyncDisposable {
  readonly #child: Bun.Subprocess;
  readonly #waiting = new Set<() => void>();
  #bytes = "";

  constructor({ command, cwd, env }: ScreenOptions) {
    const decoder = new TextDecoder();
    this.#child = Bun.spawn([...command], {
      cwd,
      env: { PATH: process.env["PATH"] ?? "", HOME: cwd, TERM: "xterm-256color", LANG: "C.UTF-8", ...env },
      terminal: {
        cols: 100,
        rows: 30,
        data: (_, chunk) => {
          this.#bytes += decoder.decode(chunk, { stream: true });
          for (const look of this.#waiting) look();
        },
      },
    });
  }

  get pid(): number {
    return this.#child.pid;
  }

  get length(): number {
    return this.#bytes.length;
  }

  type(text: string): void {
    this.#child.terminal?.write(text);
  }

  async shows(text: string, from = 0): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = (): void => {
      if (this.#bytes.includes(text, from)) resolve();
    };
    this.#waiting.add(look);
    look();
    await within(`"${text}" on the screen`, 30_000, () => promise);
    this.#waiting.delete(look);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#child.exited;
  }
}
