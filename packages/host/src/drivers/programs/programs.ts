import type { Log } from "@incipit/kernel";
import type { Leftovers } from "./leftovers.ts";
import { identityOf, nothingClosed, type ClosedPlace, type Program } from "./launcher.ts";
import type { startChild, StartedChild } from "./start-child.ts";

export interface ProgramsOptions {
  /** The host's data, links resolved. */
  readonly dataFolder: string;
  /** Whether programs are kept from it, as far as this system can. */
  readonly isConfined: boolean;
  readonly log: Log;
}

/** How one host starts programs for tools and servers, and ends what they leave running. */
export class Programs {
  readonly #options: ProgramsOptions;
  /** Identity of the folder when the host started: by the first program it may have been moved. */
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

  /** For when a program has ended. Resolves when nothing that it had started runs any more, as far as can be told. */
  async endLeftovers(): Promise<void> {
    await (await this.#prepared)?.leftovers?.end();
  }

  /** Loaded with the first program: most hosts start none. */
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
  /** As `startChild` takes it. */
  readonly closed: ClosedPlace | undefined;
  /** Absent where this system does not hand them over. */
  readonly leftovers: Leftovers | undefined;
}
