import { testedCommand } from "../host-process.ts";
import type { Sitting, SittingOptions } from "./sitting.ts";
import type { TerminalWorld } from "./terminal-world.ts";

/** Lines that a shell runs in a terminal, one after the other, as if a person had typed them; exit codes other than 0 are told. */
export function shellSession(
  { sit }: Pick<TerminalWorld, "sit">,
  lines: readonly string[],
  options: Partial<SittingOptions>,
): Sitting {
  const words = testedCommand.map((word) => `'${word}'`).join(" ");
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
