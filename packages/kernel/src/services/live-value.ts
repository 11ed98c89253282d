/**
 * A value that changes, and listeners that are told.
 *
 * - A listener that throws does not keep the others from being told.
 * - One that is added while a change is told hears of the next change; one that was ended meanwhile hears nothing.
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

  /** Called after each change; the returned function ends it. */
  onChange(listener: () => void): () => void {
    const own = (): void => listener(); // The same function may be given twice.
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }
}
