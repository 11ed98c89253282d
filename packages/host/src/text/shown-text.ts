export {
  clippedLine,
  escapeHidden as shownText,
  escapeHiddenLine as shownLine,
  HiddenEscaper as ShownStream,
  // Without the schemas, because help and argument errors are shown before those are loaded.
} from "@incipit/schema/text";
