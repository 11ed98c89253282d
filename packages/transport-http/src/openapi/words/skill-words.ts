import { under, type FieldWords } from "./field-words.ts";

export const skillWords: FieldWords = {
  ...under(["listSkills", "listCommands"], { cwd: "The working folder that was looked at, absolute" }),
  "listSkills.skills": "The skills, by their names",
  "listSkills.text": "What a model is told of them; `null`: nothing, as there is none",
  "listCommands.commands": "The commands, by their names",
  "listCommands.problems": "What is missing of the commands that do not come from files, and why, a sentence each",
  "openSkill.body": "What stands in `SKILL.md` behind its front matter",
  "openSkill.files": "Its other files, by their paths in its folder",
  "openSkill.hasMoreFiles": "Whether it has more files than were looked at",
  "openSkill.skill": "The skill",
  "showCommand.body": "Its text, arguments not put in; of a server's prompt, what its arguments are",
  "showCommand.command": "The command",
  ...under(["Skill"], {
    name: "Its name, by which a model opens it",
    description: "What it is for, in one line",
    source:
      "`folder`: the working folder or one above it; `user`: beside the user's configuration; `configured`: named in it",
    folder: "Its folder; absolute, links resolved",
    isListed: "Whether a model that is told of the list is told of this one",
    note: "What is not as it should be, and does no harm; `null`: nothing",
  }),
  ...under(["Command"], {
    name: "Its name, without the slash",
    description: "What it does, in one line; `null`: it does not say",
    argumentHint: "What it is given, in words for people; `null`: it does not say",
    model: "PROVIDER/MODEL that answers where the turn names none; `null`: the conversation's",
    source:
      "`folder`: the working folder or one above it; `user`: beside the user's configuration; `configured`: named in it; `server`: a prompt of an MCP server",
    path: "Its file; absolute, links resolved; `null`: it has no file",
    note: "What is not as it should be, and does no harm; `null`: nothing",
  }),
  ...under(["listSkills", "listCommands"], { leftOut: "What was found, and that nobody can use" }),
  ...under(["LeftOutFile"], {
    path: "The file, or the folder of which not all was looked at; absolute",
    name: "Its name; `null`: it is not known",
    reason:
      "Why it is left out; `not-trusted`, `changed`: a person has not said yes to it as it is; `shadowed`: a nearer one has its name; `invalid`: it is none; `too-many`: there are more than are looked at",
    detail: "The same in words, with what to do",
  }),
  ...under(["CommandCall"], {
    name: "The command's name, without the slash",
    arguments: "What is typed behind it",
  }),
};
