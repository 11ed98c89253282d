import { errorMessage, type Contributions, type Log } from "@incipit/kernel";
import type { Redactor } from "@incipit/redaction";
import type { Work, WorkObserver } from "@incipit/service-contract";

/** Never throws and never waits. */
export class WorkObservers {
  readonly #observers: Contributions<WorkObserver>;
  readonly #log: Log;
  readonly #redactor: Pick<Redactor, "redact">;
  readonly #failed = new Set<string>();
  readonly hasContent: boolean;

  constructor(
    observers: Contributions<WorkObserver>,
    {
      log,
      redactor,
      hasContent,
    }: { readonly log: Log; readonly redactor: Pick<Redactor, "redact">; readonly hasContent: boolean },
  ) {
    this.#observers = observers;
    this.#log = log;
    this.#redactor = redactor;
    this.hasContent = hasContent;
  }

  tell(work: Work): void {
    const observers = this.#observers.current;
    if (observers.length === 0) return;
    try {
      const shown = this.#withoutSecrets(work);
      for (const { extension, value } of observers) {
        // A leased call may return a promise despite its type.
        const told = async (): Promise<void> => value.observe(shown);
        told().catch((error: unknown) => this.#report(extension, error));
      }
    } catch (error) {
      this.#report("session-orchestrator", error);
    }
  }

  /** Observers may export data from the host, and an error may quote a secret of a vendor or tool. */
  #withoutSecrets(work: Work): Work {
    const { error } = work;
    if (!this.hasContent)
      return error === null
        ? work
        : { ...work, error: { ...error, message: this.#redactor.redact(error.message) } };
    return JSON.parse(JSON.stringify(work), (_key, value: unknown) =>
      typeof value === "string" ? this.#redactor.redact(value) : value,
    );
  }

  #report(extension: string, error: unknown): void {
    if (this.#failed.has(extension)) return;
    this.#failed.add(extension);
    this.#log.warn("An observer of what the host does failed; it is not reported again", {
      extension,
      error: errorMessage(error),
    });
  }
}
