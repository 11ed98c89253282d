import type { ModelSettings } from "@incipit/schema";

type Effort = NonNullable<ModelSettings["reasoningEffort"]>;

export interface OpenaiModel {
  readonly isReasoning: boolean;
  readonly hasSamplingWithoutReasoning: boolean;
  readonly hasTemperature: boolean;
  /** Rejects functions unless reasoning is disabled. */
  readonly hasFunctionsWithoutReasoningAlone: boolean;
  /** In ascending order. Defaults to any. */
  readonly efforts?: readonly Effort[];
}

const levels = ["minimal", "low", "medium", "high", "xhigh"] as const satisfies readonly Effort[];

/** GPT-6 models whose reasoning can be disabled. */
const withoutReasoning = new Set(["gpt-6.1-terra", "gpt-6-luna", "gpt-6-sol"]);
/** With known efforts: not pro, codex and chat. */
const standardVariant = /^(?:(?:mini|nano|sol|luna|terra)(?:-\d{4}-\d{2}-\d{2})?|\d{4}-\d{2}-\d{2})$/;

/** From OpenAI's naming scheme: https://platform.openai.com/docs/models */
export function openaiModel(name: string): OpenaiModel {
  const [, gptMajor, gptMinor, variant] = /^gpt-(\d+)(?:\.(\d+))?(?:-(.+))?$/.exec(name) ?? [];
  const major = gptMajor === undefined ? 0 : Number(gptMajor);
  const minor = gptMinor === undefined ? 0 : Number(gptMinor);
  const isChat = gptMinor === undefined && variant?.startsWith("chat") === true;
  const isConfigurable = withoutReasoning.has(name);
  const efforts = effortsOf({ major, minor, variant, isConfigurable });
  return {
    isReasoning: /^o\d+(?:-|$)/.test(name) || (major >= 5 && !isChat),
    hasSamplingWithoutReasoning: isConfigurable || (major === 5 && minor >= 1),
    hasTemperature: !name.startsWith("gpt-4o-search-preview") && !name.startsWith("gpt-4o-mini-search-preview"),
    hasFunctionsWithoutReasoningAlone: major === 5 && minor >= 6,
    ...(efforts === undefined ? {} : { efforts }),
  };
}

function effortsOf({
  major,
  minor,
  variant,
  isConfigurable,
}: {
  readonly major: number;
  readonly minor: number;
  readonly variant: string | undefined;
  readonly isConfigurable: boolean;
}): readonly Effort[] | undefined {
  if (isConfigurable) return ["none", "low", "medium", "high", "xhigh"];
  if (major >= 6) return ["low", "medium", "high", "xhigh"];
  if (major !== 5 || (variant !== undefined && !standardVariant.test(variant))) return undefined;
  if (minor === 0) return ["minimal", "low", "medium", "high"];
  if (minor === 1) return ["none", "low", "medium", "high"];
  return ["none", "low", "medium", "high", "xhigh"];
}

/** The nearest supported effort, lower before higher; never silently none. */
export function openaiEffort(
  { efforts, hasFunctionsWithoutReasoningAlone }: OpenaiModel,
  asked: Effort | undefined,
  hasTools: boolean,
): Effort | undefined {
  if (hasFunctionsWithoutReasoningAlone && hasTools) return "none";
  if (asked === undefined || efforts === undefined) return asked;
  const at = levels.findIndex((level) => level === asked);
  const candidates = [asked, ...levels.slice(0, Math.max(at, 0)).toReversed(), ...levels.slice(at + 1)];
  return candidates.find((candidate) => efforts.includes(candidate));
}
