import type { StorageDriver } from "@incipit/kernel";

export interface CutStorage extends StorageDriver {
  readonly isCut: () => boolean;
  /** Resolves when everything accepted before the cut is stored. */
  readonly cut: Promise<void>;
}

/**
 * Accepts `commits` commits and then none, like a killed process. With `losesAnswer`, the last commit is stored but its
 * promise never resolves.
 */
export function cutAfter(
  storage: StorageDriver,
  commits: number,
  { losesAnswer = false }: { readonly losesAnswer?: boolean } = {},
): CutStorage {
  let left = commits;
  const { promise: cut, resolve } = Promise.withResolvers<void>();
  const cutOff = (): void => void setImmediate(resolve);
  const gone = new Promise<never>(() => {});
  return {
    get: (namespace, key) => (left < 0 ? gone : storage.get(namespace, key)),
    list: (namespace, range) => (left < 0 ? gone : storage.list(namespace, range)),
    watch: (namespace, prefix, signal) => storage.watch(namespace, prefix, signal),
    atomic(checks, writes, options) {
      left -= 1;
      if (left === 0 && losesAnswer) {
        left = -1;
        cutOff();
        return storage.atomic(checks, writes, options).then(() => gone);
      }
      if (left >= 0) return storage.atomic(checks, writes, options);
      cutOff();
      return gone;
    },
    isCut: () => left < 0,
    cut,
  };
}
