import type { AskOption, TalkOption } from "../registry/ask-options.ts";
import type { OptionsOf } from "../registry/options.ts";

/** For a question, a task or a chat; a chat has no options of a single question. */
export type TalkArguments = OptionsOf<TalkOption | "isJson"> & Partial<OptionsOf<AskOption | "isForScreenReader">>;
