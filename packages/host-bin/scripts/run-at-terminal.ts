const deadlineMs = 120_000;

interface Sitting {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly answers: readonly (readonly [seen: string, typed: string])[];
}

/** Each answer is typed once its `seen` is on the screen, after the match of the previous one. */
export async function sitAtTerminal({ command, cwd, env, answers }: Sitting): Promise<void> {
  const decoder = new TextDecoder();
  const waiting = [...answers];
  let screen = "";
  let from = 0;
  const child = Bun.spawn([...command], {
    cwd,
    env: { ...env, TERM: "xterm-256color" },
    timeout: deadlineMs,
    terminal: {
      cols: 100,
      rows: 30,
      data(terminal, chunk) {
        screen += decoder.decode(chunk, { stream: true });
        const [seen, typed] = waiting[0] ?? ["", ""];
        const at = seen === "" ? -1 : screen.indexOf(seen, from);
        if (at === -1) return;
        from = at + seen.length;
        waiting.shift();
        terminal.write(typed);
      },
    },
  });
  const exitCode = await child.exited;
  if (exitCode !== 0 || waiting.length > 0)
    throw new Error(`${command.join(" ")} ended with ${exitCode}, and showed:\n${screen}`);
}
