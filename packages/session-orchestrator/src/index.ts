export { COMPACTION_SYSTEM_PROMPT } from "./compaction/compaction-prompt.ts";
export { default } from "./extension.ts";
