/** Loads the pages of a list, first to last, each when it is needed. */
export async function* pagesOf<Page extends { readonly nextCursor?: string | undefined }>(
  load: (cursor: string | undefined) => Promise<Page>,
): AsyncGenerator<Page> {
  let cursor: string | undefined;
  do {
    const page = await load(cursor);
    yield page;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}
