export { quoted } from "./text/quoted.ts";
export { clippedLine, shownLine, ShownStream, shownText } from "./text/shown-text.ts";
export { nearestWord, suggestion } from "./text/suggestion.ts";
