import type { Spawn } from "@incipit/kernel";
import { prefixOf, shellCommands } from "@incipit/schema";

const timeoutMs = 5_000;
const maxOutputBytes = 1_048_576;

const script = `pwd -P
for program do
  found=$(command -v "$program") || exit 1
  case $found in
    /*) (cd "\${found%/*}/" && pwd -P) || exit 1 ;;
    "$program") ;;
    *) exit 1 ;;
  esac
done`;

/** Whether a pattern for the start of commands may apply: models can write to programs in the working folder. */
export async function hasProgramsOutside(
  command: string,
  {
    patterns,
    spawn,
    cwd,
    signal,
  }: {
    readonly patterns: readonly string[];
    readonly spawn: Spawn;
    readonly cwd: string;
    readonly signal: AbortSignal;
  },
): Promise<boolean> {
  if (patterns.every((pattern) => prefixOf(pattern) === undefined)) return true;
  const read = shellCommands(command.trim());
  if (read.kind === "unknown") return false;
  const programs = new Set(read.commands.map(({ words: [program] }) => program));
  const result = await spawn.run("sh", ["-c", script, "sh", ...programs], {
    cwd,
    signal,
    maxOutputBytes,
    timeoutMs,
  });
  if (result.kind === "failed" || result.exitCode !== 0) return false;
  const [folder = "/", ...places] = new TextDecoder().decode(result.stdout).trimEnd().split("\n");
  const below = folder === "/" ? folder : `${folder}/`;
  return places.every((place) => !`${place}/`.startsWith(below));
}
