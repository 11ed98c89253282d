export { deadlineAround, Late } from "./http/deadline.ts";
export { isPage, shownBody } from "./http/shown-body.ts";
export { lostCall, shownLine, type UnansweredCall } from "./http/unanswered-call.ts";
