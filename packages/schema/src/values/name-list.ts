import * as z from "zod";
import { oneLine } from "./one-line.ts";

const listRule = "must be a list of at most 200 names";

/** Names of MCP servers or skills available to a profile. */
export const nameListSchema = z
  .array(
    z
      .string(listRule)
      .min(1)
      .max(200)
      .regex(...oneLine),
    listRule,
  )
  .max(200, listRule);
