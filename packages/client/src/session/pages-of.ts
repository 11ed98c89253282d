/** Yields the pages of a list, from `cursor` or the first one on. */
export async function* pagesOf<Page extends { readonly nextCursor?: string | undefined }>(
  read: (cursor: string | undefined) => Promise<Page>,
  cursor?: string,
): AsyncGenerator<Page, void, undefined> {
  let next = cursor;
  do {
    const page = await read(next);
    yield page;
    next = page.nextCursor;
  } while (next !== undefined);
}
