import type { Attack } from "./attacks.ts";

export const provenanceAttacks = {
  "git-file-elsewhere": {
    tries: "a folder's .git file names the repository of another folder",
    seen: "git:branch and git:status are absent, `denied`, and the prompt has neither its branch nor its files",
  },
  "git-link-elsewhere": {
    tries: "a folder's .git is a link to the repository of another folder",
    seen: "git:branch and git:status are absent, `denied`",
  },
  "git-worktree-of-another": {
    tries: "a folder's .git file names a worktree of another repository, as a real worktree's does",
    seen: "both are absent: that worktree's folder in the repository does not point back",
  },
  "git-submodule-of-another": {
    tries: "a folder's .git file names a submodule of another repository, as a real submodule's does",
    seen: "both are absent: that submodule's configuration does not point back",
  },
  "git-worktree-setting": {
    tries: "core.worktree, in the configuration or in that of the worktree, names another folder",
    seen: "both are absent, and none of its files are named",
  },
  "git-worktree-above": {
    tries: "core.worktree names a folder above the working folder, which the working folder is in",
    seen: "both are absent, and nothing that lies beside the working folder is named",
  },
  "git-commondir": {
    tries: "a commondir file in .git takes refs, objects and configuration from another repository",
    seen: "both are absent",
  },
  "git-head-link": {
    tries: "HEAD is a link to the HEAD of another repository",
    seen: "both are absent, and its branch is not named",
  },
  "git-head-secret-file": {
    tries: "HEAD is a link to a file with a secret",
    seen: "the folder is no repository, and no line of the file is told",
  },
  "git-ref-link": {
    tries: "refs, a folder of refs, or a ref that a ref names, is a link to another repository's",
    seen: "both are absent, and its branch is not named",
  },
  "git-packed-refs-link": {
    tries: "packed-refs is a link to another repository's",
    seen: "both are absent, and its branch is not named",
  },
  "git-index-link": {
    tries: "the index is a link to another repository's",
    seen: "git:status is absent, and names none of its files",
  },
  "git-alternates": {
    tries: "HEAD is a commit of another repository, whose objects are taken by alternates or a link",
    seen: "git:status is absent, and names none of its files",
  },
  "git-excludes-oracle": {
    tries:
      "core.excludesFile or info/exclude is a file with a secret, so that a file named as one of its lines goes missing",
    seen: "what is missing from git:status tells nothing of its lines",
  },
  "git-filter-of-user": {
    tries:
      "a folder's attributes take one of its user's filters, which runs what the repository's settings say (git-lfs)",
    seen: "no filter is started, whoever has set it",
  },
  "git-include-elsewhere": {
    tries: "include.path takes the upstream of a branch from another repository's configuration into the status",
    seen: "git:status does not name it",
  },
  "git-name-of-two-lines": {
    tries: "a folder's name has a line break, so that a part of it would be taken for another answer of git",
    seen: "both are absent, `failed`",
  },
  "text-error-secret": {
    tries: "an extension's variable throws an error whose message has a key in it",
    seen: "explain, the extension's health and the log tell the message with file and line, and not the key",
  },
  "text-not-marked": {
    tries: "AGENTS.md of a folder that nobody trusts goes into the prompt",
    seen: "preview and the kept explanation say that it is not trusted; of a trusted one, that it is",
  },
  "text-changed-since": {
    tries: "AGENTS.md of a trusted folder is changed",
    seen: "explain says that it has changed since, until it is as it was",
  },
  "text-blank": {
    tries: "AGENTS.md that nobody trusts, or that has changed, under untrusted = blank",
    seen: "it is absent, `not-trusted`, in conditions as in the text, and nothing of it is sent",
  },
  "text-ask": {
    tries: "a prompt is constructed from AGENTS.md that nobody trusts under untrusted = ask",
    seen: "UNTRUSTED_TEXT names the file, and no prompt is kept",
  },
  "text-folder-moved": {
    tries: "a conversation of a trusted folder is moved to one that nobody trusts, and its prompt built again",
    seen: "UNTRUSTED_TEXT names the new folder's file, and the prompt stays as it was",
  },
  "text-of-call": {
    tries:
      "a call without a conversation, or one that brings its own texts, gets it into the prompt under untrusted = ask",
    seen: "UNTRUSTED_TEXT",
  },
  "text-link-out": {
    tries: "a link in the folder leads to another file that the operator lets prompts read",
    seen: "it is marked as what the folder says, and the same file named in the template is not",
  },
  "text-git": {
    tries: "a branch is named as an order to the model",
    seen: "it is marked by the trust of its folder, and absent under untrusted = blank",
  },
  "text-import": {
    tries: "an archive's explanation says that its text was trusted",
    seen: "it is not trusted here",
  },
  "text-above-folder": {
    tries: "a name leaves the folder and comes back, or is absolute, so that its text counts as the operator's",
    seen: "it is marked as text of the folder",
  },
  "text-ask-turn": {
    tries: "a turn is sent in a folder that nobody trusts under untrusted = ask",
    seen: "409 UNTRUSTED_TEXT, no message of it is stored, and no model is called",
  },
  "text-ask-exchanged": {
    tries: "a text changes between the question whether it is trusted and the yes",
    seen: "what was shown is trusted, by its hash, and not what stands there",
  },
  "text-ask-changes": {
    tries: "AGENTS.md changes while a person at the terminal is asked about it, who says yes",
    seen: "no model is called: the person is asked about the new text",
  },
  "text-ask-typed-ahead": {
    tries: "keys that were typed before the text was shown say yes",
    seen: "nothing is trusted, nothing is sent, and the command ends with 1",
  },
  "text-ask-piped": {
    tries: "without a terminal, the input says yes",
    seen: "nobody is asked, nothing is trusted or sent, and the command ends with 1",
  },
  "text-ask-rebuild": {
    tries: "a text has changed when a conversation's prompt is rebuilt under untrusted = ask",
    seen: "who is at the terminal is asked about it, and without one the prompt stays as it is",
  },
  "text-ask-beside": {
    tries: "a yes to AGENTS.md is taken for one to what lies beside it, as an incipit.toml that was declined",
    seen: "nothing but the text that was shown is trusted, and the no stands",
  },
  "text-ask-forged": {
    tries:
      "a text holds what steers a terminal, and rows that look like the question, its answer or what comes after",
    seen: "each of its rows begins with a mark, and what would steer is shown as an escape",
  },
  "text-ask-link": {
    tries: "a link to another file has taken the place of the text when a person is asked",
    seen: "nothing of that file is shown, and nobody is asked",
  },
  "text-ask-buried": {
    tries: "a text is so long that its beginning leaves the screen, or that nobody would read it",
    seen: "beside the question stands how much there is to read; about over 1 MiB nobody is asked",
  },
  "text-blank-sent": {
    tries: "a model is asked in a folder whose AGENTS.md nobody trusts under untrusted = blank",
    seen: "the request to it has nothing of the file",
  },
  "git-environment": {
    tries: "GIT_DIR and GIT_WORK_TREE of the environment name another repository",
    seen: "git:branch and git:status are those of the working folder",
  },
} as const satisfies Record<string, Attack>;
