import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Problem } from "./problem.tsx";
import { useLoad } from "../session/use-load.ts";
import { scheduleWords } from "../text/schedule-words.ts";
import { words } from "../text/words.ts";

interface RecordsPage<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | undefined;
}

interface PagedRecordsProps<Item> {
  readonly none: string;
  readonly load: (cursor: string | undefined, signal: AbortSignal) => Promise<RecordsPage<Item>>;
  readonly draw: (item: Item) => JSX.Element;
}

export function PagedRecords<Item>({ none, load, draw }: PagedRecordsProps<Item>): JSX.Element {
  const [pages, setPages] = useState<readonly RecordsPage<Item>[]>([]);
  const [asked, setAsked] = useState<string>();
  const { loaded, reload } = useLoad(
    async (signal) => {
      const page = await load(asked, signal);
      setPages((before) => [...before, page]);
    },
    [asked],
  );
  const items = pages.flatMap((page) => page.items);
  const next = pages.at(-1)?.nextCursor;
  return (
    <>
      {items.length > 0 && <ol class="records">{items.map(draw)}</ol>}
      {pages.length > 0 && items.length === 0 && <p class="quiet">{none}</p>}
      {loaded.state === "loading" && <p class="quiet">{words.state.loading}</p>}
      {loaded.state === "failed" && <Problem error={loaded.error} onRetry={reload} />}
      {next !== undefined && next !== asked && (
        <button type="button" class="plain" onClick={() => setAsked(next)}>
          {scheduleWords.more}
        </button>
      )}
    </>
  );
}
