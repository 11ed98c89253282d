import { CORE_EXTENSIONS } from "../core-extensions.ts";
import { ConfigSchema } from "@incipit/host/configuration";

/** What may stand in the configuration of this host. Nothing of it is made before a file is read. */
export const coreSchema = new ConfigSchema(CORE_EXTENSIONS);
