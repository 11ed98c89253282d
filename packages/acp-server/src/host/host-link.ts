import { ApiClientError, type Client } from "@incipit/transport-contract";

/** Returns whether the host did not respond, so that another host may have replaced it. */
export function isAway(error: unknown): boolean {
  return error instanceof ApiClientError && error.code === "UNREACHABLE";
}

/** The host may end and be replaced by another process. */
export class HostLink {
  readonly #connect: () => Promise<Client>;
  #client: Promise<Client> | undefined;
  #isClosed = false;

  /** @param connect Called again after a host is gone. */
  constructor(connect: () => Promise<Client>) {
    this.#connect = connect;
  }

  client(): Promise<Client> {
    if (this.#isClosed)
      return Promise.reject(new ApiClientError("UNREACHABLE", "The editor is gone", { status: 0 }));
    if (this.#client !== undefined) return this.#client;
    const client = this.#connect();
    this.#client = client;
    client.catch(() => {
      if (this.#client === client) this.#client = undefined;
    });
    return client;
  }

  /** Retries once with a new connection. */
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

  /** A host started from now on would outlive its editor. */
  close(): void {
    this.#isClosed = true;
  }

  leave(used: Promise<Client>): void {
    if (this.#client === used) this.#client = undefined;
  }
}
