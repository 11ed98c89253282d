import type { PromptResponse } from "@agentclientprotocol/sdk/unstable";
import type { TurnId } from "@incipit/schema";

/** Answered once, when its turn has ended. */
export class Prompt {
  readonly #answer = Promise.withResolvers<PromptResponse>();
  /** `undefined` until confirmed by the host. */
  turnId: TurnId | undefined;
  isCancelled = false;
  #isAnswered = false;

  constructor() {
    this.#answer.promise.catch(() => undefined); // Callers of `answer` handle rejections.
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
