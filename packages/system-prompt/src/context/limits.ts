export interface ResolverLimits {
  readonly maxFileBytes: number;
  /** Most bytes of all files of one prompt together. */
  readonly maxTotalFileBytes: number;
  readonly fileTimeoutMs: number;
  /** For all that git is started for on behalf of one variable. */
  readonly gitTimeoutMs: number;
  readonly variableTimeoutMs: number;
  /** Most bytes of one value that an extension gives. */
  readonly maxVariableBytes: number;
  /** Most bytes of all such values of one prompt together, in template order. */
  readonly maxTotalVariableBytes: number;
  /** So many variables of extensions are asked for by one prompt. */
  readonly maxContributedVariables: number;
}

export interface SegmentLimits {
  readonly maxSegments: number;
  readonly maxSegmentBytes: number;
  /** Most bytes of all segments of one prompt together, in the order of the text. */
  readonly maxTotalSegmentBytes: number;
  readonly segmentTimeoutMs: number;
}
