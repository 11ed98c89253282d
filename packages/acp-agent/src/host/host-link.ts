import { ApiClientError, type Client } from "@incipit/transport-contract";

/** Whether there was no answer: the host may have ended, and another one be there. */
export function isAway(error: unknown): boolean {
  return error instanceof ApiClientError && error.code === "UNREACHABLE";
}

/** The host, whichever process it is at the moment: the one that was found may end, and another one take its place. */
export class HostLink {
  readonly #connect: () => Promise<Client>;
  #client: Promise<Client> | undefined;
  #isClosed = false;

  /** @param connect Finds the host that runs, or starts one; asked again each time when the one before is gone. */
  constructor(connect: () => Promise<Client>) {
    this.#connect = connect;
  }

  client(): Promise<Client> {
    if (this.#isClosed)
      return Promise.reject(new ApiClientError("UNREACHABLE", "The editor is gone", { status: 0 }));
    if (this.#client !== undefined) return this.#client;
    const client = this.#connect();
    this.#client = client;
    // The next one to ask tries again.
    client.catch(() => {
      if (this.#client === client) this.#client = undefined;
    });
    return client;
  }

  /** Does something with the host; once more, with the one that is there then, where it did not answer. */
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

  /** No host is started any more: what is still asked for would outlive whoever has asked. */
  close(): void {
    this.#isClosed = true;
  }

  /** Whoever asks from here on gets another one than this, which did not answer. */
  leave(used: Promise<Client>): void {
    if (this.#client === used) this.#client = undefined;
  }
}
