import { truncateToWidth, visibleWidth, type AutocompleteItem } from "@earendil-works/pi-tui";

/** Widths of the editor's list: names, then descriptions. */
const leastNames = { command: 12, other: 32 } as const;
const mostNames = 32;
const gap = 2;
const mark = 2;
/** Cells that the list leaves empty at the end of a row. */
const spare = 2;

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** The editor's list clips silently. Paths are shortened at the start, since the end is more distinctive. */
export function fittedItems(
  items: readonly AutocompleteItem[],
  { prefix, columns }: { readonly prefix: string; readonly columns: number },
): AutocompleteItem[] {
  const kind = prefix.startsWith("/") ? "command" : "other";
  const labels = items.map(({ label, description }) => {
    const room = description === undefined || description === "" ? columns - mark - spare : mostNames - gap;
    return prefix.startsWith("@") ? endOf(label, room) : truncateToWidth(label, room, "…");
  });
  const widest = Math.max(0, ...labels.map((label) => visibleWidth(label) + gap));
  const names = Math.min(mostNames, Math.max(leastNames[kind], widest));
  const room = Math.max(1, columns - mark - names - spare);
  return items.map((item, index) => ({
    ...item,
    label: labels[index] ?? item.label,
    ...(item.description === undefined ? {} : { description: truncateToWidth(item.description, room, "…") }),
  }));
}

function endOf(text: string, width: number): string {
  if (visibleWidth(text) <= width) return text;
  let kept = "";
  for (const { segment } of [...graphemes.segment(text)].toReversed()) {
    if (visibleWidth(segment) + visibleWidth(kept) > width - 1) break;
    kept = segment + kept;
  }
  return `…${kept}`;
}
