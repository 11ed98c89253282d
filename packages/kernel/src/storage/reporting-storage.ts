import type { Storage } from "../contract/storage.ts";

interface Invalid {
  readonly onInvalid?: (key: string, error: Error) => void;
}

/**
 * Reports errors to `onRefusal`, including skipped entries.
 *
 * @throws as `open`.
 */
export function reportingStorage(open: () => Storage, onRefusal: (error: unknown) => void): Storage {
  const noted = async <Result>(work: Promise<Result>): Promise<Result> => {
    try {
      return await work;
    } catch (error) {
      onRefusal(error);
      throw error;
    }
  };
  const told = <Options extends Invalid>(options: Options): Options => {
    const { onInvalid } = options;
    if (onInvalid === undefined) return options;
    return {
      ...options,
      onInvalid: (key: string, error: Error) => {
        onRefusal(error);
        onInvalid(key, error);
      },
    };
  };
  try {
    const storage = open();
    return {
      ...storage,
      get: (key, schema) => noted(storage.get(key, schema)),
      getVersioned: (key, schema) => noted(storage.getVersioned(key, schema)),
      list: (range, schema) => noted(storage.list(told(range), schema)),
      async *entries(prefix, schema, options = {}) {
        try {
          yield* storage.entries(prefix, schema, told(options));
        } catch (error) {
          onRefusal(error);
          throw error;
        }
      },
      set: (key, value) => noted(storage.set(key, value)),
      delete: (key) => noted(storage.delete(key)),
      atomic: (checks, writes, options) => noted(storage.atomic(checks, writes, options)),
    };
  } catch (error) {
    onRefusal(error);
    throw error;
  }
}
