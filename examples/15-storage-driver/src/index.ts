import { defineConfiguration, defineExtension, storageDriverHandle, type Extension } from "@incipit/kernel";
import { isAbsolute } from "node:path";
import * as z from "zod";
import { JournalDriver } from "./journal-driver.ts";
import packageJson from "../package.json";

const configuration = defineConfiguration({
  settings: () => ({
    /** The journal file. */
    path: z.string("must be the absolute path of a file").refine(isAbsolute, "must be the absolute path of a file"),
  }),
});

const extension: Extension = defineExtension(packageJson, { configuration }, (host, { path }) => {
  host.provideService(storageDriverHandle, host.use("journal", new JournalDriver(path)));
});

export default extension;
