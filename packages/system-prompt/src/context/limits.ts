export interface ResolverLimits {
  readonly maxFileBytes: number;
  /** Total bytes of all files of one prompt. */
  readonly maxTotalFileBytes: number;
  readonly fileTimeoutMs: number;
  /** Total for all git processes of a variable. */
  readonly gitTimeoutMs: number;
  readonly variableTimeoutMs: number;
  /** Bytes of a single value of an extension. */
  readonly maxVariableBytes: number;
  /** Total bytes of such values in one prompt, in template order. */
  readonly maxTotalVariableBytes: number;
  /** Number of extension variables per prompt. */
  readonly maxContributedVariables: number;
}

export interface SegmentLimits {
  readonly maxSegments: number;
  readonly maxSegmentBytes: number;
  /** Total bytes of all segments of one prompt, in text order. */
  readonly maxTotalSegmentBytes: number;
  readonly segmentTimeoutMs: number;
}
