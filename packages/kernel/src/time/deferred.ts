export interface Deferred {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
}

/** A promise with what resolves it. `Promise.withResolvers` is not in every engine that the package runs on. */
export function createDeferred(): Deferred {
  let resolve = (): void => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
