import { settledWithin } from "./settled-within.ts";

/** `incipit` at a terminal, and whoever sits there. */
interface Sitting {
  /** The command, and what runs it. */
  readonly command: readonly string[];
  readonly cwd: string;
  readonly home: string;
  /** Variables beside the usual ones. */
  readonly env?: Readonly<Record<string, string>>;
  /** Typed at once, before anything is on the screen. */
  readonly typedAhead?: string;
  /** Each answer is typed once its question is on the screen, behind the one before; a function does something first. */
  readonly answers?: readonly (readonly [question: string, answer: string | (() => string | Promise<string>)])[];
  /** Typed each time that the sign comes on the screen while a question is waited for. */
  readonly again?: { readonly sign: string; readonly typed: string };
  /** How wide the terminal is; 200 unless told. */
  readonly columns?: number;
  /** The terminal's `TERM`; `dumb` unless told. */
  readonly term?: string;
}

interface Seen {
  readonly screen: string;
  readonly exitCode: number;
}

const closedTimeoutMs = 2_000;

/** Runs a command on a terminal of its own; gives every byte that came on the screen. */
export async function atTerminal(options: Sitting): Promise<Seen> {
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
  // That it has ended may be told before all that it wrote; what it has left running keeps the terminal open.
  await settledWithin(closed.promise, closedTimeoutMs);
  return { exitCode, screen };
}
