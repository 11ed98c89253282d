import { defineExtension, type Extension } from "@incipit/kernel";
import { toolsPoint } from "@incipit/service-contract";
import { createReadNotes, createWriteNote } from "./notebook.ts";

const extension: Extension = defineExtension(
  {
    id: "acme.notebook",
    version: "1.0.0",
    api: "^1",
    capabilities: { storage: true },
    contributes: ["tools@1"],
  },
  (host) => {
    const notes = host.storage("notes");
    host.contribute(toolsPoint, createWriteNote(notes));
    host.contribute(toolsPoint, createReadNotes(notes));
  },
);

export default extension;
