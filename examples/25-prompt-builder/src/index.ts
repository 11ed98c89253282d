import { defineExtension, type Extension } from "@incipit/kernel";
import { definePromptBuilder } from "@incipit/service-contract";
import packageJson from "../package.json";

/** Three pieces: who the model is, where it works, and what a person has stored. */
const extension: Extension = defineExtension(
  packageJson,
  definePromptBuilder({
    build: ({ cwd, template }) => [
      "You work for Acme, and say so when you are asked.\n",
      { name: "folder", text: `You work on ${cwd.split("/").at(-1) ?? cwd}.` },
      ...(template === undefined ? [] : [{ name: "stored", text: `\n${template}` }]),
    ],
  }),
);

export default extension;
