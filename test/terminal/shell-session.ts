import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { testedCommand } from "../support/host-process.ts";
import type { Sitting, SittingOptions } from "./sitting.ts";
import type { TerminalWorld } from "./terminal-world.ts";

const words = testedCommand.map(quoted).join(" ");

export const shellPrompt = "at the shell>";

interface Sat<Own extends Sitting> {
  readonly sit: (options: Partial<SittingOptions>) => Own;
}

export async function interactiveShell<Own extends Sitting>(
  { home, sit }: Sat<Own> & Pick<TerminalWorld, "home">,
  options: Partial<SittingOptions> = {},
): Promise<Own> {
  const inputrc = join(home, "inputrc");
  await Bun.write(inputrc, "set enable-bracketed-paste off\n"); // The shell's own bracketed paste would interfere.
  const bin = join(home, "bin");
  await Bun.write(join(bin, "incipit"), `#!/bin/sh\nexec ${words} "$@"\n`);
  await chmod(join(bin, "incipit"), 0o755);
  const sitting = sit({
    command: ["bash", "--norc", "--noprofile", "-i"],
    ...options,
    env: {
      PATH: `${bin}:${process.env["PATH"] ?? ""}`,
      PS1: `${shellPrompt} `,
      INPUTRC: inputrc,
      ...options.env,
    },
  });
  await sitting.sees(shellPrompt);
  return sitting;
}

export function shellSession<Own extends Sitting>(
  { sit }: Sat<Own>,
  lines: readonly string[],
  options: Partial<SittingOptions>,
): Own {
  const script = lines.flatMap((line) => [
    `printf '%s\\n' ${quoted(`$ ${line}`)}`,
    line,
    'code=$?; [ $code = 0 ] || echo "[exit code $code]"',
  ]);
  const command = [
    "sh",
    "-c",
    ["trap : INT", `incipit() { ${words} "$@"; }`, ...script, "echo '$'", "read -r _"].join("\n"),
  ];
  return sit({ command, ...options });
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
