export { count, dollars, percent, summaryText } from "./text/audit-text.ts";
export {
  brokenExtensions,
  brokenExtensionsLine,
  missingToolsLines,
  type BrokenExtension,
} from "./text/broken-extensions.ts";
export { clipped } from "./text/clipped.ts";
export { causeText, hunkHead, rebuildCostText } from "./text/drift-text.ts";
export { explainTables, trustText, type ExplainTable } from "./text/explain-tables.ts";
export {
  leftAlone,
  otherToolsText,
  redoWords,
  undoWords,
  type FileChangeLabels,
} from "./text/file-change-labels.ts";
export { IntactRun } from "./text/intact-run.ts";
export { changedPath, restoredLines } from "./text/restored-lines.ts";
export { shaText, shortHash } from "./text/sha-text.ts";
export { differenceText, differenceWords, promptReasonWords } from "./text/reason-text.ts";
export { quoted } from "./text/quoted.ts";
export { shellWord } from "./text/shell-word.ts";
export { clippedLine, shownLine, ShownStream, shownText } from "./text/shown-text.ts";
export { stepHeader, stepText } from "./text/step-text.ts";
export { nearestWord, suggestion } from "./text/suggestion.ts";
export { approvalWords, deferReasons } from "./text/tool-words.ts";
export { autoApprovedText } from "./text/auto-approved-text.ts";
export { tokenText } from "./text/token-text.ts";
