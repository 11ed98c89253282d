import { defineConfiguration, defineExtension, storageDriverHandle, type Extension } from "@incipit/kernel";
import * as z from "zod";
import { JournalDriver } from "./journal-driver.ts";

const configuration = defineConfiguration({
  settings: () => ({
    /** The file that has everything. */
    path: z.string("must be the absolute path of a file").startsWith("/", "must be the absolute path of a file"),
  }),
});

const extension: Extension = defineExtension(
  {
    id: "acme.journal",
    version: "1.0.0",
    api: "^1",
    capabilities: { system: true },
    provides: ["storage-driver@1"],
    swap: "exclusive",
  },
  { configuration },
  (host, { path }) => {
    host.provideService(storageDriverHandle, host.use("journal", new JournalDriver(path)));
  },
);

export default extension;
