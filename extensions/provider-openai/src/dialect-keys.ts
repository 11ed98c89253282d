import * as z from "zod";
import { idsOfNine, type ChatFamily } from "./chat-family.ts";

export function dialectKeys() {
  return z.strictObject({
    one_system_message: z.boolean().exactOptional(),
    alternate_roles: z.boolean().exactOptional(),
    reply_after_results: z.boolean().exactOptional(),
    empty_messages: z.boolean().exactOptional(),
    content_of_calls: z.enum(["null", "empty"]).exactOptional(),
    reasoning_content: z.enum(["never", "returned", "always"]).exactOptional(),
    call_ids: z.enum(["any", "nine"]).exactOptional(),
    stream_options: z.boolean().exactOptional(),
    tool_choice_objects: z.boolean().exactOptional(),
    cache_marks: z.boolean().exactOptional(),
  });
}

export type WrittenDialect = z.output<ReturnType<typeof dialectKeys>>;

export function toDialect(written: WrittenDialect = {}): ChatFamily {
  const {
    one_system_message: isOneSystem,
    alternate_roles: alternates,
    reply_after_results: wantsReplyToResults,
    empty_messages: acceptsEmpty,
    content_of_calls: contentOfCalls,
    reasoning_content: reasoning,
    call_ids: callIds,
    stream_options: hasStreamOptions,
    tool_choice_objects: hasObjects,
    cache_marks: marksCache,
  } = written;
  return {
    ...(isOneSystem === undefined ? {} : { isOneSystem }),
    ...(alternates === undefined ? {} : { alternates }),
    ...(wantsReplyToResults === undefined ? {} : { wantsReplyToResults }),
    ...(acceptsEmpty === undefined ? {} : { refusesEmpty: !acceptsEmpty }),
    ...(contentOfCalls === undefined ? {} : { contentOfCalls: contentOfCalls === "empty" ? "" : undefined }),
    ...(reasoning === undefined
      ? {}
      : { refusesReasoning: reasoning === "never", missingReasoning: reasoning === "always" ? " " : undefined }),
    ...(callIds === undefined ? {} : { callIds: callIds === "nine" ? idsOfNine : undefined }),
    ...(hasStreamOptions === undefined ? {} : { refusesStreamOptions: !hasStreamOptions }),
    ...(hasObjects === undefined ? {} : { isToolChoiceWord: !hasObjects }),
    ...(marksCache === undefined ? {} : { marksCache }),
  };
}
