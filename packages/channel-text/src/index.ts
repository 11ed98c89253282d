export { splitMarkdown, type SplitOptions } from "./split-markdown.ts";
