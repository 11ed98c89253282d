import type { Contributions, Log } from "@incipit/kernel";
import type { Work, WorkObserver } from "@incipit/service-contract";

/** Tells the observers what was done. Never throws, and waits for nobody. */
export class WorkObservers {
  readonly #observers: Contributions<WorkObserver>;
  readonly #log: Log;
  readonly #failed = new Set<string>();
  /** Whether what was told and said goes to them as well. */
  readonly hasContent: boolean;

  constructor(
    observers: Contributions<WorkObserver>,
    { log, hasContent }: { readonly log: Log; readonly hasContent: boolean },
  ) {
    this.#observers = observers;
    this.#log = log;
    this.hasContent = hasContent;
  }

  tell(work: Work): void {
    for (const { extension, value } of this.#observers.current) {
      // Through its lease a call may be a promise, whatever its type says.
      const told = async (): Promise<void> => value.observe(work);
      told().catch((error: unknown) => this.#report(extension, error));
    }
  }

  #report(extension: string, error: unknown): void {
    if (this.#failed.has(extension)) return;
    this.#failed.add(extension);
    this.#log.warn("An observer of what the host does failed; it is not reported again", {
      extension,
      error: error instanceof Error ? error.message : String(error),
    });
  }
}
