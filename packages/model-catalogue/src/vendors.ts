import { anthropic } from "./data/anthropic.ts";
import { deepseek } from "./data/deepseek.ts";
import { google } from "./data/google.ts";
import { openai } from "./data/openai.ts";
import type { VendorModels } from "./types.ts";

export const vendors = { anthropic, deepseek, google, openai } as const satisfies Record<string, VendorModels>;
