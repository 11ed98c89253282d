export { lineAt, type Stretch } from "./line-at.ts";
export { loadYaml } from "./load-yaml.ts";
export { readKeys } from "./read-keys.ts";
export { splitFrontMatter, type FrontMatter } from "./split-front-matter.ts";
export type { BrokenKeys, ReadKeys } from "./types.ts";
