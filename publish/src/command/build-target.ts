import { join } from "node:path";
import { runProgram } from "../run-program.ts";
import type { Target } from "./targets.ts";

const root = join(import.meta.dir, "../../..");

export interface BuildOptions {
  /** Where the file goes. */
  readonly outfile: string;
  /** Folder that keeps what lies together in a file, for all targets; the first one fills it. */
  readonly order: string;
}

/** Builds the command for one kind of machine. @throws with what the compiler says, such as that it cannot get its Bun. */
export async function buildTarget({ bun }: Target, { outfile, order }: BuildOptions): Promise<void> {
  const script = join(root, "packages/host-bin/scripts/build.ts");
  await runProgram([process.execPath, script, "--target", bun, "--outfile", outfile, "--order", order], {
    cwd: root,
  });
}
