/** How many are under way at once. */
const maxAtOnce = 16;

export interface InOrderOptions<Item, Result> {
  /** Never rejects without its caller's wish: what it rejects with ends the whole. */
  readonly work: (item: Item) => Promise<Result>;
  /** How much of `room` an item takes while it is under way. */
  readonly size: (item: Item) => number;
  /** What those under way may take together; one alone may take more. */
  readonly room: number;
}

/** Does the work for several items at once, and gives what comes of them in the order of the items. */
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
    result.catch(() => undefined); // Whoever takes it is told; nobody may take it any more.
    underWay.push({ result, size: itemSize });
    taken += itemSize;
  }
  yield* first(() => false);
}
