export { lineAt, type Stretch } from "./front-matter/line-at.ts";
export { loadYaml } from "./front-matter/load-yaml.ts";
export { readKeys } from "./front-matter/read-keys.ts";
export { splitFrontMatter, type FrontMatter } from "./front-matter/split-front-matter.ts";
export type { BrokenKeys, ReadKeys } from "./front-matter/types.ts";
