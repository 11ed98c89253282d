import { RequestError } from "@agentclientprotocol/sdk/unstable";
import type { Editor } from "./editor.ts";
import { Sessions, type SessionsOptions } from "./sessions.ts";

/** The open sessions of an editor. There are none before `initialize`, and each `initialize` starts without any. */
export class ConnectedSessions {
  readonly #options: Omit<SessionsOptions, "editor">;
  #sessions: Sessions | undefined;

  constructor(options: Omit<SessionsOptions, "editor">) {
    this.#options = options;
  }

  /** Returns the open sessions. @throws {RequestError} Invalid request, before `begin`. */
  get open(): Sessions {
    if (this.#sessions === undefined) throw RequestError.invalidRequest(undefined, 'send "initialize" first');
    return this.#sessions;
  }

  begin(editor: Editor): void {
    this.close(); // A repeated `initialize` starts over.
    this.#sessions = new Sessions({ ...this.#options, editor });
    // After the response: a session will follow soon.
    setTimeout(() => void this.#options.link.client().catch(() => undefined), 0);
  }

  /** Closes all sessions; running turns continue. */
  close(): void {
    this.#sessions?.closeAll();
  }

  /** Finishes all sessions, for a host that ends with its editor. */
  async finish(): Promise<void> {
    await this.#sessions?.finish();
  }
}
