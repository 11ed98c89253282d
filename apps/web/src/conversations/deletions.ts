import { ApiClientError, routes } from "@incipit/transport-contract";
import { useState } from "preact/hooks";
import { api } from "../session/api.ts";
import { keptPrefixes, useKeptChanges } from "../session/kept-here.ts";
import { dropDraft } from "./draft.ts";
import { forgetSeen } from "./seen.ts";

export interface Deletion {
  readonly id: string;
  readonly title: string;
}

/** The host erases permanently, so the page delays the request. Stored for all tabs of this browser. */
const prefix = keptPrefixes.deletion;
const changeEvent = "incipit-deletions";

/** The conversation accepts no more messages from any client. @throws {ApiClientError} if that fails. */
export async function deleteLater({ id, title }: Deletion): Promise<void> {
  await api.call(routes.updateConversation, { params: { id }, body: { deleted: true } });
  localStorage.setItem(prefix + id, title);
  dispatchEvent(new Event(changeEvent));
}

/** @throws {ApiClientError} if it stays deleted. */
export async function undoDeletion(id: string): Promise<void> {
  await api.call(routes.updateConversation, { params: { id }, body: { deleted: false } });
  forget(id);
}

function forget(id: string): void {
  localStorage.removeItem(prefix + id);
  dispatchEvent(new Event(changeEvent));
}

export function isPending(id: string): boolean {
  return localStorage.getItem(prefix + id) !== null;
}

/** @throws {ApiClientError} if the host has not erased it; it stays pending. */
export async function erase(id: string): Promise<void> {
  try {
    await api.call(routes.deleteConversation, { params: { id } });
  } catch (error) {
    // Another tab or client was first.
    if (!(error instanceof ApiClientError) || error.code !== "CONVERSATION_UNKNOWN") throw error;
  }
  dropDraft(id);
  forgetSeen(id);
  forget(id);
}

export function useDeletions(): readonly Deletion[] {
  const [deletions, setDeletions] = useState(readDeletions);
  useKeptChanges(prefix, changeEvent, () => setDeletions(readDeletions()));
  return deletions;
}

function readDeletions(): readonly Deletion[] {
  return Object.keys(localStorage).flatMap((key) =>
    key.startsWith(prefix) ? [{ id: key.slice(prefix.length), title: localStorage.getItem(key) ?? "" }] : [],
  );
}
