import type { Storage, StorageWrite } from "@incipit/kernel";
import { stepSchema, type Step, type StepId, type UnaskedCall } from "@incipit/schema";
import { keys } from "../store/stored.ts";

export class AutoApprovedCalls {
  readonly #storage: Storage;
  readonly #key: string;
  readonly #calls: UnaskedCall[] = [];
  #step: Promise<Step | undefined> | undefined;

  constructor(
    storage: Storage,
    { conversationId, stepId }: { readonly conversationId: string; readonly stepId: StepId },
  ) {
    this.#storage = storage;
    this.#key = keys.step(conversationId, stepId);
  }

  get all(): readonly UnaskedCall[] {
    return this.#calls;
  }

  /** All calls so far; store it with the end of the call, in the same order. */
  async add(call: UnaskedCall): Promise<readonly StorageWrite[]> {
    this.#step ??= this.#storage.get(this.#key, stepSchema);
    const step = await this.#step;
    this.#calls.push(call);
    return step === undefined
      ? []
      : [{ kind: "set", key: this.#key, value: { ...step, unaskedCalls: [...this.#calls] } }];
  }
}
