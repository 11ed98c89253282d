export { boundedBody, TooLarge } from "./http/bounded-body.ts";
export { deadlineAround } from "./http/deadline.ts";
export { isPage, shownBody } from "./http/shown-body.ts";
export { lostCall, shownLine, type UnansweredCall } from "./http/unanswered-call.ts";
