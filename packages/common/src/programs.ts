export { OpenRequests, type OpenRequest } from "./json-rpc/open-requests.ts";
export type { RpcCall } from "./json-rpc/rpc-message.ts";
export { wrongAnswerCode } from "./json-rpc/wrong-answer.ts";
export { yieldToEventLoop, MessageRate } from "./programs/message-rate.ts";
export { ProgramMessages, type MessageLimits, type SkippedLines } from "./programs/program-messages.ts";
