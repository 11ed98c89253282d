import type { PromptResponse } from "@agentclientprotocol/sdk/unstable";
import type { TurnId } from "@incipit/schema";

/** What an editor has said, until it is answered: once, when its turn has ended. */
export class Prompt {
  readonly #answer = Promise.withResolvers<PromptResponse>();
  /** `undefined`: the host has not said yet that it has it. */
  turnId: TurnId | undefined;
  /** The person does not want the answer any more. */
  isCancelled = false;
  #isAnswered = false;

  constructor() {
    this.#answer.promise.catch(() => undefined); // Whoever waits for it hears of it.
  }

  get answer(): Promise<PromptResponse> {
    return this.#answer.promise;
  }

  get isAnswered(): boolean {
    return this.#isAnswered;
  }

  end(response: PromptResponse): void {
    this.#isAnswered = true;
    this.#answer.resolve(response);
  }

  fail(error: unknown): void {
    this.#isAnswered = true;
    this.#answer.reject(error);
  }
}
