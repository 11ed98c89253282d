import { defineExtension, type Extension } from "@incipit/kernel";
import { toolsPoint } from "@incipit/service-contract";
import { createReadNotes, createWriteNote } from "./notebook.ts";
import packageJson from "../package.json";

const extension: Extension = defineExtension(packageJson, (host) => {
  const notes = host.storage("notes");
  host.contribute(toolsPoint, createWriteNote(notes));
  host.contribute(toolsPoint, createReadNotes(notes));
});

export default extension;
