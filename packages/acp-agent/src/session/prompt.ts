import { RequestError, type ContentBlock, type PromptResponse } from "@agentclientprotocol/sdk/unstable";
import type { TurnId } from "@incipit/schema";

/** A prompt from an editor, answered once when its turn has ended. */
export class Prompt {
  readonly #begun = Promise.withResolvers<TurnId>();
  readonly #answer = Promise.withResolvers<PromptResponse>();
  readonly blocks: readonly ContentBlock[];
  /** `undefined` until the host has confirmed it. */
  turnId: TurnId | undefined;
  /** Whether the user cancelled it. */
  isCancelled = false;
  #isAnswered = false;

  constructor(blocks: readonly ContentBlock[]) {
    this.blocks = blocks;
    // Callers of `begun` and `answer` handle rejections.
    for (const { promise } of [this.#begun, this.#answer]) promise.catch(() => undefined);
  }

  /** Resolves when its turn starts; rejects if it never will. */
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
    this.#begun.reject(RequestError.requestCancelled()); // Without effect after the start; otherwise it was withdrawn.
  }

  fail(error: unknown): void {
    this.#isAnswered = true;
    this.#answer.reject(error);
    this.#begun.reject(error);
  }
}
