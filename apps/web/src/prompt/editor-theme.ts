import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";

/** Custom properties are inherited into the shadow root. */
export function editorTheme(): Extension {
  return EditorView.theme({
    "&": {
      height: "100%",
      color: "var(--ink)",
      backgroundColor: "var(--raised)",
      borderRadius: "0.5rem",
      fontSize: "0.875rem",
    },
    "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "2px" },
    ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.6" },
    ".cm-content": { caretColor: "var(--ink)", paddingBlock: "0.5rem" },
    ".cm-gutters": {
      backgroundColor: "transparent",
      color: "var(--quiet)",
      border: "none",
    },
    ".cm-activeLineGutter": { backgroundColor: "var(--said)", color: "var(--ink)" },
    // The default underlines are images in fixed colours.
    ".cm-lintRange": { backgroundImage: "none !important", textUnderlineOffset: "0.25em" },
    ".cm-lintRange-error": { textDecoration: "underline wavy var(--danger)" },
    ".cm-lintRange-warning": { textDecoration: "underline wavy var(--warned)" },
    ".cm-lintRange-info": { textDecoration: "underline dotted var(--quiet)" },
    ".cm-tag": { borderRadius: "0.25rem", paddingBlock: "0.1em" },
    ".cm-tag-variable": { backgroundColor: "var(--origin-variable)", color: "var(--ink)" },
    ".cm-tag-condition": { color: "var(--accent)", fontWeight: "600" },
    ".cm-tag-escaped": { color: "var(--quiet)" },
    ".cm-tag-match": { outline: "1px solid var(--accent)", backgroundColor: "var(--said)" },
    ".cm-tooltip": {
      backgroundColor: "var(--raised)",
      color: "var(--ink)",
      border: "1px solid var(--line)",
      borderRadius: "0.5rem",
      maxWidth: "min(28rem, 90vw)",
    },
    ".cm-tooltip-autocomplete ul li": { padding: "0.25rem 0.5rem" },
    ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
      backgroundColor: "var(--accent)",
      color: "var(--on-accent)",
    },
    ".cm-completionDetail": { fontStyle: "normal", fontFamily: "inherit" },
    ".cm-diagnostic": { padding: "0.5rem 0.75rem", whiteSpace: "pre-wrap" },
    ".cm-diagnosticAction": {
      backgroundColor: "var(--accent)",
      color: "var(--on-accent)",
      font: "inherit",
      padding: "0.25rem 0.5rem",
      borderRadius: "0.25rem",
    },
    ".cm-panels": { backgroundColor: "var(--raised)", color: "var(--ink)", borderColor: "var(--line)" },
  });
}
