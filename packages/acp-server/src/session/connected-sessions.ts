import { RequestError } from "@agentclientprotocol/sdk/unstable";
import type { Editor } from "./editor.ts";
import { Sessions, type SessionsOptions } from "./sessions.ts";

/** None before `initialize`, and new ones after each. */
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

  begin(editor: Editor): void {
    this.close(); // A repeated `initialize` starts over.
    this.#sessions = new Sessions({ ...this.#options, editor });
    // After the response: a session will follow soon.
    setTimeout(() => void this.#options.link.client().catch(() => undefined), 0);
  }

  /** Running turns continue. */
  close(): void {
    this.#sessions?.closeAll();
  }

  /** For a host that ends with its editor. */
  async finish(): Promise<void> {
    await this.#sessions?.finish();
  }
}
