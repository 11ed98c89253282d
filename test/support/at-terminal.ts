import { settledWithin } from "./settled-within.ts";

export interface AtTerminalOptions {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly home: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly typedAhead?: string;
  /** Typed once the question is on the screen, after the match of the previous one; a function runs first. */
  readonly answers?: readonly (readonly [question: string, answer: string | (() => string | Promise<string>)])[];
  /** Typed each time the sign appears while a question is awaited. */
  readonly again?: { readonly sign: string; readonly typed: string };
  readonly columns?: number;
  readonly term?: string;
}

export interface SeenAtTerminal {
  readonly screen: string;
  readonly exitCode: number;
}

const closedTimeoutMs = 2_000;

export async function atTerminal(options: AtTerminalOptions): Promise<SeenAtTerminal> {
  const { command, cwd, home, env = {}, typedAhead, answers = [], again, columns = 200, term = "dumb" } = options;
  const decoder = new TextDecoder();
  const waiting = [...answers];
  let screen = "";
  let from = 0;
  const closed = Promise.withResolvers<void>();
  const child = Bun.spawn([...command], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", HOME: home, LANG: "C.UTF-8", TERM: term, ...env },
    terminal: {
      cols: columns,
      rows: 24,
      data(terminal, chunk) {
        const text = decoder.decode(chunk, { stream: true });
        screen += text;
        const [question, answer] = waiting[0] ?? ["", ""];
        const at = question === "" ? -1 : screen.indexOf(question, from);
        if (at === -1) {
          if (again !== undefined && waiting.length > 0 && text.includes(again.sign)) terminal.write(again.typed);
          return;
        }
        from = at + question.length;
        waiting.shift();
        const typed = typeof answer === "string" ? answer : answer();
        if (typeof typed === "string") terminal.write(typed);
        else void typed.then((text) => terminal.write(text));
      },
      exit: () => closed.resolve(),
    },
  });
  if (typedAhead !== undefined) child.terminal?.write(typedAhead);
  const exitCode = await child.exited;
  // The exit may be reported before all output; background processes keep the terminal open.
  await settledWithin(closed.promise, closedTimeoutMs);
  return { exitCode, screen };
}
