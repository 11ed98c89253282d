import { RequestError, type ContentBlock, type PromptResponse } from "@agentclientprotocol/sdk/unstable";
import type { TurnId } from "@incipit/schema";

/** What an editor has said, until it is answered: once, when its turn has ended. */
export class Prompt {
  readonly #begun = Promise.withResolvers<TurnId>();
  readonly #answer = Promise.withResolvers<PromptResponse>();
  /** As they came. */
  readonly blocks: readonly ContentBlock[];
  /** `undefined`: the host has not said yet that it has it. */
  turnId: TurnId | undefined;
  /** The person does not want the answer any more. */
  isCancelled = false;
  #isAnswered = false;

  constructor(blocks: readonly ContentBlock[]) {
    this.blocks = blocks;
    for (const { promise } of [this.#begun, this.#answer]) promise.catch(() => undefined); // Whoever waits hears of it.
  }

  /** Resolves when its turn has begun; rejects when it never will. */
  get begun(): Promise<TurnId> {
    return this.#begun.promise;
  }

  get answer(): Promise<PromptResponse> {
    return this.#answer.promise;
  }

  get isAnswered(): boolean {
    return this.#isAnswered;
  }

  begin(turnId: TurnId): void {
    this.#begun.resolve(turnId);
  }

  end(response: PromptResponse): void {
    this.#isAnswered = true;
    this.#answer.resolve(response);
    this.#begun.reject(RequestError.requestCancelled()); // Where it had not begun, it was taken back.
  }

  fail(error: unknown): void {
    this.#isAnswered = true;
    this.#answer.reject(error);
    this.#begun.reject(error);
  }
}
