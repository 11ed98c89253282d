export { count, dollars, percent, summaryText } from "./audit-text.ts";
export {
  brokenExtensions,
  brokenExtensionsLine,
  mendOf,
  missingToolsLines,
  type BrokenExtension,
} from "./broken-extensions.ts";
export { causeText, hunkHead, rebuildCostText } from "./drift-text.ts";
export { explainTables, trustText, type ExplainTable } from "./explain-tables.ts";
export { leftAlone, otherToolsText, redoWords, undoWords, type FileChangeLabels } from "./file-change-labels.ts";
export { IntactRun } from "./intact-run.ts";
export { changedPath, restoredLines } from "./restored-lines.ts";
export { shaText, shortHash } from "./sha-text.ts";
export { differenceText, differenceWords, promptReasonWords } from "./reason-text.ts";
export { quoted, shellWord } from "./quoted.ts";
export { autoApprovedText, stepHeader, stepText } from "./step-text.ts";
export { approvalWords, deferReasons } from "./tool-words.ts";
export { tokenText } from "./token-text.ts";
