import { join } from "node:path";
import { runProgram } from "../run-program.ts";
import type { Target } from "./targets.ts";

const root = join(import.meta.dir, "../../..");

export interface BuildOptions {
  readonly outfile: string;
  /** File order shared by all targets; the first build fills it. */
  readonly order: string;
}

/** @throws with the compiler's message, such as a failed download of Bun. */
export async function buildTarget({ bun }: Target, { outfile, order }: BuildOptions): Promise<void> {
  const script = join(root, "packages/host-bin/scripts/build.ts");
  await runProgram([process.execPath, script, "--target", bun, "--outfile", outfile, "--order", order], {
    cwd: root,
  });
}
