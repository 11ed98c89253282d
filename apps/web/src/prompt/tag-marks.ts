import { RangeSetBuilder, type Extension } from "@codemirror/state";
import { Decoration, ViewPlugin, type DecorationSet, type EditorView, type ViewUpdate } from "@codemirror/view";
import { blocksOf, tagsOf, type TemplateTag } from "./template-tags.ts";

/** Longer tags are not coloured. */
const reach = 2_000;
/** In longer texts, block tags are searched this near to the cursor. */
const blockReach = 200_000;

const marks = {
  variable: Decoration.mark({ class: "cm-tag cm-tag-variable" }),
  if: Decoration.mark({ class: "cm-tag cm-tag-condition" }),
  else: Decoration.mark({ class: "cm-tag cm-tag-condition" }),
  endif: Decoration.mark({ class: "cm-tag cm-tag-condition" }),
  escaped: Decoration.mark({ class: "cm-tag-escaped" }),
} as const satisfies Record<TemplateTag["kind"], Decoration>;
const matchMark = Decoration.mark({ class: "cm-tag-match" });

export function tagMarks(): Extension {
  return [
    ViewPlugin.fromClass(
      class {
        decorations: DecorationSet;
        constructor(view: EditorView) {
          this.decorations = coloured(view);
        }
        update({ docChanged, viewportChanged, view }: ViewUpdate): void {
          if (docChanged || viewportChanged) this.decorations = coloured(view);
        }
      },
      { decorations: ({ decorations }) => decorations },
    ),
    ViewPlugin.fromClass(
      class {
        decorations: DecorationSet = Decoration.none;
        update({ docChanged, selectionSet, view }: ViewUpdate): void {
          if (docChanged || selectionSet) this.decorations = matched(view);
        }
      },
      { decorations: ({ decorations }) => decorations },
    ),
  ];
}

function coloured({ state, visibleRanges }: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  let done = 0;
  for (const { from, to } of visibleRanges) {
    const begin = Math.max(done, from - reach);
    const end = Math.min(state.doc.length, to + reach);
    for (const tag of tagsOf(state.sliceDoc(begin, end), begin)) builder.add(tag.from, tag.to, marks[tag.kind]);
    done = Math.max(done, end);
  }
  return builder.finish();
}

function matched({ state }: EditorView): DecorationSet {
  const { head } = state.selection.main;
  const nearFrom = Math.max(0, head - reach);
  const near = tagsOf(state.sliceDoc(nearFrom, Math.min(state.doc.length, head + reach)), nearFrom);
  const touched = near.find(({ kind, from, to }) => isOfBlock(kind) && from <= head && head <= to);
  // The cursor is outside such a tag.
  if (touched === undefined) return Decoration.none;
  const begin = Math.max(0, head - blockReach);
  const tags = tagsOf(state.sliceDoc(begin, Math.min(state.doc.length, head + blockReach)), begin);
  for (const { open, otherwise, close } of blocksOf(tags)) {
    const members = otherwise === undefined ? [open, close] : [open, otherwise, close];
    if (members.some(({ from }) => from === touched.from))
      return Decoration.set(members.map(({ from, to }) => matchMark.range(from, to)));
  }
  return Decoration.none;
}

function isOfBlock(kind: TemplateTag["kind"]): boolean {
  return kind === "if" || kind === "else" || kind === "endif";
}
