import { profileConflictSchema, type ProfileConflict } from "@incipit/schema";
import { ApiClientError, routes, type WrittenProfileResponse } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import * as z from "zod";
import { AskingButton } from "../controls/confirm.tsx";
import { Button, Paragraph, submitting, TextField, Select } from "../controls/fields.tsx";
import { Problem } from "../controls/problem.tsx";
import { addressOf, goTo } from "../place/place.ts";
import { ConflictView } from "../prompt/conflict-view.tsx";
import { EditorPane } from "../prompt/editor-pane.tsx";
import type { TemplateEditor } from "../prompt/template-editor.ts";
import { api } from "../session/api.ts";
import { keep, keptPrefixes, readKept } from "../session/kept-here.ts";
import { agentPlace, agentWords } from "../text/agent-words.ts";
import { AgentPreview } from "./agent-preview.tsx";

export function AgentWorkbench({ found }: { readonly found: WrittenProfileResponse | undefined }): JSX.Element {
  const key = found?.profile.name ?? "";
  const [draft] = useState(() => readAgentDraft(key));
  const [stored, setStored] = useState(found);
  const storedText = stored === undefined ? agentWords.start : (stored.text ?? "");
  const initialText = draft?.text ?? storedText;
  const [editor, setEditor] = useState<TemplateEditor>();
  const [text, setText] = useState(initialText);
  const [etag, setEtag] = useState(draft !== undefined && draft.text !== storedText ? draft.etag : stored?.etag);
  const [name, setName] = useState(key);
  const [tier, setTier] = useState<keyof typeof agentWords.places>("folder");
  const [isKept, setIsKept] = useState(true);
  const [isSaved, setIsSaved] = useState(false);
  const [error, setError] = useState<unknown>();
  const [conflict, setConflict] = useState<ProfileConflict>();
  const isDirty = text !== storedText;
  const label = stored === undefined ? agentWords.newLabel : agentWords.label(key);

  // Layout effect: stored before anything else can happen to this tab.
  useLayoutEffect(() => {
    if (isDirty) setIsKept(keepAgentDraft(key, { text, etag: etag ?? null }));
    else dropAgentDraft(key);
  }, [text, etag, isDirty]);

  const trying = async <Result,>(work: () => Promise<Result>): Promise<Result | undefined> => {
    try {
      const result = await work();
      setError(undefined);
      setConflict(undefined);
      return result;
    } catch (cause) {
      const other = conflictOf(cause);
      setConflict(other);
      setError(other === undefined ? cause : undefined);
      return undefined;
    }
  };
  // Submits the form, like the button, so that the name is validated.
  const form = useRef<HTMLFormElement>(null);
  const isSaving = useRef(false);
  const save = async (over: string | null | undefined = etag): Promise<void> => {
    if (editor === undefined || isSaving.current) return;
    isSaving.current = true;
    const written = editor.text;
    setText(written);
    const isNew = stored === undefined;
    const saved = await trying(() =>
      api.call(routes.putProfile, {
        params: { name: isNew ? name.trim() : key },
        headers: isNew ? { "if-none-match": "*" } : { "if-match": over ?? "" },
        body: { text: written, ...(isNew && tier === "user" ? { user: true } : {}) },
      }),
    );
    isSaving.current = false;
    if (saved === undefined) return;
    if (isNew) {
      dropAgentDraft(key);
      goTo({ view: "agent", name: saved.profile.name });
      return;
    }
    // The host keeps the file's line endings; text typed since stays.
    if (editor.text === written && saved.text !== null && saved.text !== written) editor.replaceText(saved.text);
    setStored(saved);
    setEtag(saved.etag);
    setText(editor.text);
    setIsSaved(true);
  };
  const remove = async (): Promise<void> => {
    const isGone = await trying(() =>
      api.call(routes.deleteProfile, { params: { name: key }, headers: { "if-match": etag ?? "" } }),
    );
    if (isGone === undefined) return;
    dropAgentDraft(key);
    goTo({ view: "host" });
  };
  const take = (theirs: string, tag: string | null): void => {
    editor?.replaceText(theirs);
    setText(theirs);
    setEtag(tag);
    if (stored !== undefined) setStored({ ...stored, text: theirs, etag: tag });
    setConflict(undefined);
    editor?.focus();
  };

  const beginsWith = { model: "", profile: key, cwd: "" };
  const place = stored === undefined ? "" : agentPlace(stored.profile.source);
  if (stored?.text === null)
    return (
      <>
        <p>{agentWords.configured}</p>
        <AgentPreview written={stored} />
      </>
    );
  return (
    <>
      <form ref={form} class="save row" onSubmit={submitting(save)}>
        <Paragraph role="status">
          {isDirty
            ? isKept
              ? agentWords.unsaved
              : agentWords.notKept
            : stored === undefined
              ? agentWords.started
              : isSaved
                ? agentWords.saved(place)
                : agentWords.stored(place)}
        </Paragraph>
        {stored === undefined && (
          <>
            <TextField label={agentWords.name} required value={name} maxLength={100} dir="auto" onText={setName} />
            <Select
              label={agentWords.where}
              value={tier}
              options={[
                ["folder", agentWords.places.folder],
                ["user", agentWords.places.user],
              ]}
              onChoose={setTier}
            />
          </>
        )}
        {stored !== undefined && isDirty && (
          <Button text={agentWords.discard} onClick={() => take(storedText, stored.etag)} />
        )}
        {stored !== undefined && (
          <AskingButton
            text={agentWords.remove}
            question={{
              title: agentWords.removeTitle(key),
              text: agentWords.removeText(place),
              agree: agentWords.remove,
              onAgree: () => void remove(),
            }}
          />
        )}
        <Button text={agentWords.save} type="submit" class="main" disabled={!isDirty && stored !== undefined} />
      </form>
      {error !== undefined && <Problem error={error} />}
      {conflict?.theirs !== undefined && conflict.theirs !== null && (
        <ConflictView
          conflict={{ theirs: conflict.theirs, author: null, createdAt: null }}
          said={agentWords.conflict}
          onMine={() => void save(conflict.etag)}
          onTheirs={() => take(conflict.theirs ?? "", conflict.etag)}
          onLater={() => {
            setConflict(undefined);
            editor?.focus();
          }}
        />
      )}
      <div class="workbench">
        <section class="template" aria-label={label}>
          <EditorPane
            initialText={initialText}
            label={label}
            editor={editor}
            onReady={setEditor}
            onChange={() => setText(editor?.text ?? initialText)}
            onSave={() => form.current?.requestSubmit()}
          />
          <p class="quiet">{agentWords.keys}</p>
        </section>
        {stored !== undefined && <AgentPreview written={stored} />}
      </div>
      {stored !== undefined && (
        <p>
          <a href={addressOf({ view: "conversations", id: undefined, beginsWith })}>{agentWords.begin}</a>
        </p>
      )}
    </>
  );
}

/** For other errors the message suffices. */
function conflictOf(error: unknown): ProfileConflict | undefined {
  if (!(error instanceof ApiClientError) || error.code !== "PROFILE_CONFLICT") return undefined;
  const { data } = profileConflictSchema.safeParse(error.details);
  return data?.theirs === null ? undefined : data;
}

const draftSchema = z.object({
  text: z.string(),
  /** ETag when editing began; `null` if there was no file. */
  etag: z.string().nullable().catch(null),
});
type AgentDraft = z.infer<typeof draftSchema>;

function readAgentDraft(name: string): AgentDraft | undefined {
  return readKept(draftSchema, sessionStorage.getItem(keptPrefixes.agent + name));
}

/** `false` if the browser's storage is full. */
function keepAgentDraft(name: string, draft: AgentDraft): boolean {
  return keep(sessionStorage, keptPrefixes.agent + name, JSON.stringify(draft));
}

function dropAgentDraft(name: string): void {
  sessionStorage.removeItem(keptPrefixes.agent + name);
}
