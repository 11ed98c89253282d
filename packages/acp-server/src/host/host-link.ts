import { ApiClientError, type Client } from "@incipit/transport-contract";

/** Whether there was no response, so that the host may have been replaced. */
export function isAway(error: unknown): boolean {
  return error instanceof ApiClientError && error.code === "UNREACHABLE";
}

/** Connection to the current host, which may end and be replaced by another process. */
export class HostLink {
  readonly #connect: () => Promise<Client>;
  #client: Promise<Client> | undefined;
  #isClosed = false;

  /** @param connect Finds or starts a host; called again after a host is gone. */
  constructor(connect: () => Promise<Client>) {
    this.#connect = connect;
  }

  client(): Promise<Client> {
    if (this.#isClosed)
      return Promise.reject(new ApiClientError("UNREACHABLE", "The editor is gone", { status: 0 }));
    if (this.#client !== undefined) return this.#client;
    const client = this.#connect();
    this.#client = client;
    // A failed connection is retried by the next call.
    client.catch(() => {
      if (this.#client === client) this.#client = undefined;
    });
    return client;
  }

  /** Calls the host, and retries once with a new connection if it was unreachable. */
  async call<Result>(work: (client: Client) => Promise<Result>): Promise<Result> {
    const used = this.client();
    try {
      return await work(await used);
    } catch (error) {
      if (!isAway(error)) throw error;
      this.leave(used);
      return work(await this.client());
    }
  }

  /** Starts no host from now on, since it would outlive its editor. */
  close(): void {
    this.#isClosed = true;
  }

  /** Drops an unreachable host, so that later calls reconnect. */
  leave(used: Promise<Client>): void {
    if (this.#client === used) this.#client = undefined;
  }
}
