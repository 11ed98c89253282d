import { RequestError } from "@agentclientprotocol/sdk/unstable";
import type { Editor } from "./editor.ts";
import { Sessions, type SessionsOptions } from "./sessions.ts";

/** The sessions of whoever is connected: none before it has introduced itself, and new ones when it does so again. */
export class ConnectedSessions {
  readonly #options: Omit<SessionsOptions, "editor">;
  #sessions: Sessions | undefined;

  constructor(options: Omit<SessionsOptions, "editor">) {
    this.#options = options;
  }

  /** @throws {RequestError} Invalid request, before `begin`. */
  get open(): Sessions {
    if (this.#sessions === undefined) throw RequestError.invalidRequest(undefined, 'send "initialize" first');
    return this.#sessions;
  }

  /** It has introduced itself. */
  begin(editor: Editor): void {
    this.close(); // It begins anew.
    this.#sessions = new Sessions({ ...this.#options, editor });
    // Behind the answer: a session will soon be asked for.
    setTimeout(() => void this.#options.link.client().catch(() => undefined), 0);
  }

  /** The editor is gone; what it has asked for goes on. */
  close(): void {
    this.#sessions?.closeAll();
  }

  /** Resolves when what the editor has asked for is over; for a host that ends with it. */
  async finish(): Promise<void> {
    await this.#sessions?.finish();
  }
}
