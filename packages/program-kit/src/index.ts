export { yieldToEventLoop, MessageRate } from "./message-rate.ts";
export { ProgramMessages, type MessageLimits, type SkippedLines } from "./program-messages.ts";
export { ProgramSecrets } from "./program-secrets.ts";
export { unlessAborted } from "./unless-aborted.ts";
export { OpenRequests, type OpenRequest } from "./open-requests.ts";
export type { RpcCall } from "./rpc-message.ts";
export { plainObject, textOf, withoutNulls, type PlainObject } from "./plain-object.ts";
export { isPage, shownBody } from "./shown-body.ts";
export { wrongAnswerCode } from "./wrong-answer.ts";
