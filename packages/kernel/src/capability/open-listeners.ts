import type { Listener } from "../contract/capabilities.ts";
import type { Scope } from "../time/scope.ts";

const closeTimeoutMs = 500;

export class OpenListeners {
  readonly #open = new Set<Listener>();
  #isOver = false;

  constructor(scope: Pick<Scope, "defer">) {
    scope.defer("listeners", async () => {
      this.#isOver = true;
      await Promise.all([...this.#open].map((listener) => listener.close(closeTimeoutMs)));
    });
  }

  /** Closes the listener immediately after the activation. */
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
