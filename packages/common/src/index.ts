export { plainObject, textOf, withoutNulls, type PlainObject } from "./json/plain-object.ts";
export { splitMarkdown } from "./text/split-markdown.ts";
export { unlessAborted } from "./time/unless-aborted.ts";
