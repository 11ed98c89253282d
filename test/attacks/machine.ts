import type { Attack } from "./attacks.ts";

export const machineAttacks = {
  "machine-port-of-ended-host": {
    tries: "a host ends while somebody chats, and another user listens at its port before the next message",
    seen: "the chat asks nobody there: neither the token nor the message is sent",
  },
  "machine-port-of-localhost": {
    tries: "a host listens at localhost, and another user at the other address that the name has",
    seen: "commands go to the address that the host has, and the other one is asked for nothing",
  },
  "machine-stale-address": {
    tries: "a host has ended without a word, and another user has its port while the next one takes the folder",
    seen: "who looks meanwhile is told of no host, not of the address of the one before",
  },
  "machine-host-of-other-port": {
    tries:
      "a request names this machine as its Host, and another port, as one that was meant for another program does",
    seen: "it is refused; what the operator listed is served on any port",
  },
  "machine-health-names": {
    tries: "another user asks for the health of a host, which names the paths of what is damaged",
    seen: "that something is wrong; what it is, whoever has the token is told",
  },
  "machine-data-folder-of-all": {
    tries: "the data folder is one in which every user may write, and one of them has put an extension on its list",
    seen: "nothing runs, and the command says whose the folder has to be",
  },
  "machine-data-folder-of-another": {
    tries: "the data folder is another user's, who may have put anything in it",
    seen: "nothing of it is read, and the command says whose it is; root, and folders of root's, are as ever",
  },
} as const satisfies Record<string, Attack>;
