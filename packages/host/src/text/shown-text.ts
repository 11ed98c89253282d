export {
  clippedLine,
  escapeHidden as shownText,
  escapeHiddenLine as shownLine,
  HiddenEscaper as ShownStream,
} from "@incipit/schema";
