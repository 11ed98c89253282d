import type { Storage } from "../contract/storage.ts";

/** What `open` gives; whatever it throws is told, and what is left out of a list, too. @throws as `open` does. */
export function notedStorage(open: () => Storage, onRefusal: (error: unknown) => void): Storage {
  const noted = async <Result>(work: Promise<Result>): Promise<Result> => {
    try {
      return await work;
    } catch (error) {
      onRefusal(error);
      throw error;
    }
  };
  try {
    const storage = open();
    return {
      ...storage,
      get: (key, schema) => noted(storage.get(key, schema)),
      getVersioned: (key, schema) => noted(storage.getVersioned(key, schema)),
      list: ({ onInvalid, ...range }, schema) => {
        if (onInvalid === undefined) return noted(storage.list(range, schema));
        const told = (key: string, error: Error): void => {
          onRefusal(error);
          onInvalid(key, error);
        };
        return noted(storage.list({ ...range, onInvalid: told }, schema));
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
