import type { Log } from "@incipit/kernel";
import type { Leftovers } from "./leftovers.ts";
import { identityOf, nothingClosed, type ClosedPlace, type Program } from "./launcher.ts";
import type { startChild, StartedChild } from "./start-child.ts";

export interface ProgramsOptions {
  readonly dataFolder: string;
  readonly isConfined: boolean;
  readonly log: Log;
}

export class Programs {
  readonly #options: ProgramsOptions;
  /** The folder may be moved before the first program. */
  readonly #identity: string;
  #prepared: Promise<Prepared> | undefined;

  constructor(options: ProgramsOptions) {
    this.#options = options;
    this.#identity = identityOf(options.dataFolder);
  }

  async start(program: Program, { stdin }: { readonly stdin: "ignore" | "pipe" }): Promise<StartedChild> {
    const { startChild, closed } = await (this.#prepared ??= this.#prepare());
    return startChild(program, { stdin, closed });
  }

  /** Call after a program has ended. Resolves when none of its processes is detectable any more. */
  async endLeftovers(): Promise<void> {
    await (await this.#prepared)?.leftovers?.end();
  }

  /** Most hosts start no program. */
  async #prepare(): Promise<Prepared> {
    const { dataFolder, isConfined, log } = this.#options;
    const [{ startChild }, { openLibc }, { landlockVersion }, { Leftovers }] = await Promise.all([
      import("./start-child.ts"),
      import("./libc.ts"),
      import("./landlock.ts"),
      import("./leftovers.ts"),
    ]);
    const libc = openLibc();
    if (libc === undefined) {
      log.warn("Programs can read the host's data folder: this system has no means to keep them from it");
      return { startChild, closed: undefined, leftovers: undefined };
    }
    if (!isConfined) log.warn("Programs can read the host's data folder: tools.confine is false");
    else if (landlockVersion(libc) === 0)
      log.warn("Programs can read the host's data folder: this kernel has no Landlock, or it is switched off");
    const closed = isConfined ? { path: dataFolder, identity: this.#identity } : nothingClosed;
    return { startChild, closed, leftovers: Leftovers.watch({ libc, isConfined }) };
  }
}

interface Prepared {
  readonly startChild: typeof startChild;
  readonly closed: ClosedPlace | undefined;
  /** Absent if this system does not reparent descendants to this process. */
  readonly leftovers: Leftovers | undefined;
}
