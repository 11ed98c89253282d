export interface ResolverLimits {
  readonly maxFileBytes: number;
  /** All files of one prompt. */
  readonly maxTotalFileBytes: number;
  readonly fileTimeoutMs: number;
  /** All git processes of a variable. */
  readonly gitTimeoutMs: number;
  readonly variableTimeoutMs: number;
  /** Per value of an extension. */
  readonly maxVariableBytes: number;
  /** Per prompt, in template order. */
  readonly maxTotalVariableBytes: number;
  readonly maxContributedVariables: number;
}

export interface SegmentLimits {
  readonly maxSegments: number;
  readonly maxSegmentBytes: number;
  /** Per prompt, in text order. */
  readonly maxTotalSegmentBytes: number;
  readonly segmentTimeoutMs: number;
}
