/**
 * A listener's error does not affect the others. A listener added during a notification is first called for the next
 * change; a removed one is not called.
 */
export class LiveValue<Value> {
  #value: Value;
  readonly #listeners = new Set<() => void>();
  readonly #onListenerError: (error: unknown) => void;

  constructor(value: Value, onListenerError: (error: unknown) => void) {
    this.#value = value;
    this.#onListenerError = onListenerError;
  }

  get current(): Value {
    return this.#value;
  }

  set(value: Value): void {
    this.#value = value;
    const told = new Set(this.#listeners);
    for (const listener of told) {
      if (!this.#listeners.has(listener)) continue;
      try {
        listener();
      } catch (error) {
        this.#onListenerError(error);
      }
    }
  }

  onChange(listener: () => void): () => void {
    const own = (): void => listener(); // The same function may be registered twice.
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }
}
