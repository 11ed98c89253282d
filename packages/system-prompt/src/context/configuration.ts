import { defineConfiguration, type ValuesOf } from "@incipit/kernel";
import { maxSegmentBytes, maxVariableBytes } from "@incipit/service-contract";
import * as z from "zod";
import type { ResolverLimits, SegmentLimits } from "./limits.ts";

const folderRule = 'must be an absolute path, "$cwd" or a path below "$cwd/"';
const bytesRule = "must be a whole number of bytes";
const msRule = "must be a whole number of milliseconds";
const countRule = "must be a whole number from 1 on";

function atLeastOne(rule: string): z.ZodInt {
  return z.int(rule).min(1, rule);
}

/** All texts are templates; a blank one means no text. */
export const configuration = defineConfiguration({
  keys: () => ({ append_system_prompt: z.string().exactOptional() }),
  tables: () => ({
    prompt: {
      read: z.array(z.string().regex(/^(\/|\$cwd(\/|$))/, folderRule)).default(["$cwd"]),
      untrusted: z.enum(["allow", "ask", "blank"]).default("allow"),
    },
  }),
  settings: () => ({
    max_file_bytes: atLeastOne(bytesRule).default(1_048_576),
    max_total_file_bytes: atLeastOne(bytesRule).default(4_194_304),
    file_timeout_ms: atLeastOne(msRule).default(5_000),
    git_timeout_ms: atLeastOne(msRule).default(5_000),
    variable_timeout_ms: atLeastOne(msRule).default(5_000),
    max_variable_bytes: atLeastOne(bytesRule).default(maxVariableBytes),
    max_total_variable_bytes: atLeastOne(bytesRule).default(1_048_576),
    max_contributed_variables: atLeastOne(countRule).default(1_000),
    segment_timeout_ms: atLeastOne(msRule).default(5_000),
    max_segments: atLeastOne(countRule).default(100),
    max_segment_bytes: atLeastOne(bytesRule).default(maxSegmentBytes),
    max_total_segment_bytes: atLeastOne(bytesRule).default(262_144),
  }),
  needs: ({ prompt }) => ({ fs: { read: prompt.read } }),
  wishes({ prompt: { read } }, { quote, given }) {
    if (given(["prompt", "read"]) === undefined) return [];
    const sentence = `lets prompts hold files of ${read.map(quote).join(", ") || "no folder"}`;
    return [{ path: ["prompt"], sentence, tells: ["read"] }];
  },
});

type Values = ValuesOf<typeof configuration>;

export interface Settings {
  readonly appendSystemPrompt: string | undefined;
  readonly untrusted: Values["prompt"]["untrusted"];
  readonly limits: ResolverLimits & SegmentLimits;
}

export function toSettings(values: Values): Settings {
  return {
    appendSystemPrompt: values.append_system_prompt,
    untrusted: values.prompt.untrusted,
    limits: {
      maxFileBytes: values.max_file_bytes,
      maxTotalFileBytes: values.max_total_file_bytes,
      fileTimeoutMs: values.file_timeout_ms,
      gitTimeoutMs: values.git_timeout_ms,
      variableTimeoutMs: values.variable_timeout_ms,
      maxVariableBytes: values.max_variable_bytes,
      maxTotalVariableBytes: values.max_total_variable_bytes,
      maxContributedVariables: values.max_contributed_variables,
      segmentTimeoutMs: values.segment_timeout_ms,
      maxSegments: values.max_segments,
      maxSegmentBytes: values.max_segment_bytes,
      maxTotalSegmentBytes: values.max_total_segment_bytes,
    },
  };
}
