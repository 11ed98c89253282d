const maxAtOnce = 16;

export interface InOrderOptions<Item, Result> {
  readonly work: (item: Item) => Promise<Result>;
  readonly size: (item: Item) => number;
  /** A single item may exceed it. */
  readonly room: number;
}

/** Processes items concurrently, and yields the results in the order of the items. */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item>,
  { work, size, room }: InOrderOptions<Item, Result>,
): AsyncGenerator<Result, void> {
  const underWay: { readonly result: Promise<Result>; readonly size: number }[] = [];
  let taken = 0;
  async function* first(isEnough: () => boolean): AsyncGenerator<Result, void> {
    while (underWay.length > 0 && !isEnough()) {
      const next = underWay.shift();
      if (next === undefined) return;
      taken -= next.size;
      yield await next.result;
    }
  }
  for await (const item of items) {
    const itemSize = size(item);
    yield* first(() => underWay.length < maxAtOnce && taken + itemSize <= room);
    const result = work(item);
    result.catch(() => undefined); // The consumer gets the error.
    underWay.push({ result, size: itemSize });
    taken += itemSize;
  }
  yield* first(() => false);
}
