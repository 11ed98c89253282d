import { defineExtension, type Extension } from "@incipit/kernel";
import { definePromptBuilder } from "@incipit/service-contract";
import packageJson from "../package.json";

/** Three pieces: the model's role, its working folder, and the stored text. */
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
