import { CORE_EXTENSIONS } from "../core-extensions.ts";
import { ConfigSchema } from "@incipit/host/configuration";

/** Built lazily, when a file is read. */
export const coreSchema = new ConfigSchema(CORE_EXTENSIONS);
