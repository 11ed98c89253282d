import type { Storage } from "./storage.ts";

/** What `open` gives; whatever it or a write throws is told. @throws as `open` does. */
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
      set: (key, value) => noted(storage.set(key, value)),
      delete: (key) => noted(storage.delete(key)),
      atomic: (checks, writes, options) => noted(storage.atomic(checks, writes, options)),
    };
  } catch (error) {
    onRefusal(error);
    throw error;
  }
}
