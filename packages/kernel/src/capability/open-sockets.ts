import type { NetSocket } from "../contract/capabilities.ts";
import { LinkedSignal } from "../time/linked-signal.ts";
import type { Scope } from "../time/scope.ts";

export class OpenSockets {
  readonly #over = new AbortController();

  constructor(scope: Pick<Scope, "defer">) {
    scope.defer("sockets", () => this.#over.abort());
  }

  /** `open` must abort the attempt and close the socket when its signal aborts. */
  async open(
    open: (signal: AbortSignal) => Promise<NetSocket>,
    signal: AbortSignal | undefined,
  ): Promise<NetSocket> {
    const linked = new LinkedSignal(signal, this.#over.signal);
    try {
      const socket = await open(linked.signal);
      void socket.ended.then(() => linked[Symbol.dispose]());
      return socket;
    } catch (error) {
      linked[Symbol.dispose]();
      throw error;
    }
  }
}
