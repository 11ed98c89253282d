import { under, type FieldWords } from "./field-words.ts";

/** Fields of files that tools changed, and of their restoration. */
export const fileChangeWords: FieldWords = {
  ...under(["ChangedFile"], {
    path: "Where the file is, absolute, links followed",
    state:
      "Whether it is exactly as the turns left it (`restorable`), as it was before (`unchanged`), or `changed` since by somebody else; `not-kept`: what it was is gone; `refused`: it may not be touched",
    action:
      "What putting it back does: another content (`write`), a file that is gone (`create`), or one less (`remove`); absent: it cannot be put back",
    preview: "What that changes: a unified diff, or words; absent: it cannot be put back",
    why: "Why it cannot be put back; with `restorable`, what speaks against touching it, such as that programs run what it says; absent: nothing to say",
  }),
  ...under(["listMessageFiles", "removeMessageFile", "replaceMessageFile"], {
    files: "The files of the messages since the last compaction, oldest first; each content once",
    "files.id": "The first 12 digits of the SHA-256 of its bytes",
    "files.messageId": "The newest message that has it",
    "files.mediaType": "Its type, by its content where that is known",
    "files.filename": "The name that it was sent with; absent: none",
    "files.sizeBytes": "Its size, as it is sent",
    "files.removedAt": "Since when models are only told of it; absent: they get it",
  }),
  ...under(["replaceMessageFile"], {
    mediaType: "The type of the file that takes its place",
    data: "That file in base64",
    filename: "Its name; absent: none",
  }),
  ...under(["listFileChanges"], {
    files: "The files that the host's tools changed in these turns, by path",
    otherTools:
      "Tools that ran in these turns and may have changed something that nobody keeps, such as `shell`, by name",
  }),
  ...under(["restoreFiles"], {
    from: "The id of a message: what was changed in its turn and in those behind it is put back",
    restoration:
      "A time at which files were put back; as the range of a request, in place of `from`: that is taken back; `newest`: all that was put back of the newest message, and was not taken back since",
    copy: "With `newest`: the id of a fork of the conversation, to go back from; what was put back of the first message that the fork leaves out is meant, whatever was put back since",
    paths: "The files that are put back, as the list has their `path`; others stay as they are",
    files: "What became of each of the named files",
    "files.path": "Where the file is",
    "files.outcome":
      "It has the content from before (`written`), is there again (`created`), is gone again (`removed`), or was left as it is (`left`)",
    "files.why": "Why it was left as it is; absent: it was not",
    "files.isKept":
      "Whether what it was when it was put back is kept, so that this can be taken back; not if it is too large, or there is no room for it; absent: it was left as it is",
    "files.removedFolders":
      "Folders that went with a file that went: the turns had made them, and nothing else was in them; absent: none",
  }),
};
