export { default } from "./extension.ts";
export { workspaceToolNames } from "./tool-names.ts";
