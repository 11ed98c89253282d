export { default } from "./extension.ts";
export { default as offeredTools } from "./offered-tools.ts";
