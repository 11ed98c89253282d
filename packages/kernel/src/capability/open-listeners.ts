import type { Listener } from "../contract/capabilities.ts";
import type { Scope } from "../time/scope.ts";

/** What is being answered when nobody is left to answer it has this long. */
const closeTimeoutMs = 500;

/** The ports that an activation has opened: those that it has not closed by itself are closed when it ends. */
export class OpenListeners {
  readonly #open = new Set<Listener>();
  #isOver = false;

  constructor(scope: Pick<Scope, "defer">) {
    scope.defer("listeners", async () => {
      this.#isOver = true;
      await Promise.all([...this.#open].map((listener) => listener.close(closeTimeoutMs)));
    });
  }

  /** Gives back what it was given; one that came too late is closed. */
  async keep(listener: Listener): Promise<Listener> {
    if (this.#isOver) await listener.close(0);
    this.#open.add(listener);
    return {
      host: listener.host,
      port: listener.port,
      close: async (timeoutMs) => {
        this.#open.delete(listener);
        await listener.close(timeoutMs);
      },
    };
  }
}
