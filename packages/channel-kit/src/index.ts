export { boundedBody, TooLarge } from "./bounded-body.ts";
export { deadlineAround, type Deadline } from "./deadline.ts";
export { lostCall, shownLine, type UnansweredCall } from "./unanswered-call.ts";
export { uploadName } from "./upload-name.ts";
export { splitMarkdown, type SplitOptions } from "./split-markdown.ts";
export { lenient, readableItems } from "./lenient.ts";
