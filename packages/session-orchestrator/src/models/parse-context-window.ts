/** In vendors' error messages; the samples are `overflowQuirks` in the test kit. */
const patterns = [
  /\bmaximum context (?:length|window|size)(?: of this model)? (?:is|of)\D{0,20}?([\d,]+)/i,
  /\bcontext (?:length|window|size|limit)(?: is)?(?: of)?(?: only)?[ (:]*([\d,]+) ?tokens\b/i,
  /\b(?:exceeds?|exceeded|longer than) (?:the )?(?:available |model's |maximum )*(?:context|model) (?:size|length|window|limit)(?: of)?[ (:]*([\d,]+)/i,
  /> ([\d,]+) maximum\b/i,
  /\bexceeds the maximum number of tokens allowed[ (:]*([\d,]+)/i,
  /\bmaximum prompt length is ([\d,]+)/i,
  /\bexceeds the limit of ([\d,]+)/i,
  /\bmodel token limit:? ([\d,]+)/i,
  /\brange of input length should be \[\d+, ?([\d,]+)\]/i,
  /\bmodel with ([\d,]+) maximum context\b/i,
  /\bn_ctx["']?(?:_slot)?\s*[:=]\s*([\d,]+)/i,
];
const minTokens = 1_000;
const maxTokens = 20_000_000;

export function parseContextWindow(message: string): number | undefined {
  for (const pattern of patterns) {
    const tokens = Number(pattern.exec(message)?.[1]?.replaceAll(",", ""));
    if (tokens >= minTokens && tokens <= maxTokens) return tokens;
  }
  return undefined;
}
