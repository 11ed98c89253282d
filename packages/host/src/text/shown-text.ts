export {
  clippedLine,
  escapeHidden as shownText,
  escapeHiddenLine as shownLine,
  HiddenEscaper as ShownStream,
} from "@incipit/schema/text"; // Without the schemas: help and errors of arguments are shown before those are loaded.
