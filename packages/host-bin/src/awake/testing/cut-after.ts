import type { StorageDriver } from "@incipit/kernel";

/**
 * Storage that takes so many commits and then nothing any more, as a process that is killed: what is stored stays. With
 * `losesAnswer` it is killed in the last one: that is stored, and whoever waits for it never hears of it.
 */
export function cutAfter(
  storage: StorageDriver,
  commits: number,
  { losesAnswer = false }: { readonly losesAnswer?: boolean } = {},
): StorageDriver & { readonly isCut: () => boolean } {
  let left = commits;
  const gone = new Promise<never>(() => {});
  return {
    get: (namespace, key) => (left < 0 ? gone : storage.get(namespace, key)),
    list: (namespace, range) => (left < 0 ? gone : storage.list(namespace, range)),
    watch: (namespace, prefix, signal) => storage.watch(namespace, prefix, signal),
    atomic(checks, writes, options) {
      left -= 1;
      if (left === 0 && losesAnswer) {
        left = -1;
        return storage.atomic(checks, writes, options).then(() => gone);
      }
      return left < 0 ? gone : storage.atomic(checks, writes, options);
    },
    isCut: () => left < 0,
  };
}
