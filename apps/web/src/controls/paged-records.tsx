import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useLoad } from "../session/use-load.ts";
import { scheduleWords } from "../text/schedule-words.ts";
import { Button } from "./fields.tsx";
import { Pending } from "./problem.tsx";

interface RecordsPage {
  readonly nextCursor?: string | undefined;
}

interface PagedRecordsProps<Page, Item> {
  readonly none: string;
  readonly load: (query: { readonly cursor: string | undefined }, signal: AbortSignal) => Promise<Page>;
  readonly itemsOf: (page: Page) => readonly Item[];
  readonly draw: (item: Item) => JSX.Element;
}

export function PagedRecords<Page extends RecordsPage, Item>(props: PagedRecordsProps<Page, Item>): JSX.Element {
  const { none, load, itemsOf, draw } = props;
  const [pages, setPages] = useState<readonly Page[]>([]);
  const [asked, setAsked] = useState<string>();
  const loaded = useLoad(
    async (signal) => {
      const page = await load({ cursor: asked }, signal);
      setPages((before) => [...before, page]);
    },
    [asked],
  );
  const items = pages.flatMap(itemsOf);
  const next = pages.at(-1)?.nextCursor;
  return (
    <>
      {items.length > 0 && <ol class="records">{items.map(draw)}</ol>}
      {pages.length > 0 && items.length === 0 && <p class="quiet">{none}</p>}
      <Pending of={loaded} />
      {next !== undefined && next !== asked && (
        <Button text={scheduleWords.more} class="plain" onClick={() => setAsked(next)} />
      )}
    </>
  );
}
