import * as z from "zod";

const rule =
  "must be letters, digits, _ and, between them, spaces, dots and -: at most 100, beginning and ending with none of those three";

/** A profile's name in a file or as a file name: contains no path syntax. */
export const profileNameSchema = z
  .string(rule)
  .regex(/^[\p{L}\p{N}_](?:[\p{L}\p{N}\p{M}_ .-]{0,98}[\p{L}\p{N}\p{M}_])?$/u, rule);
