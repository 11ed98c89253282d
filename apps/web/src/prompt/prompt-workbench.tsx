import type { SystemPromptVariable, TemplateInForce } from "@incipit/schema";
import { routes, type Model } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Problem } from "../controls/problem.tsx";
import { api } from "../session/api.ts";
import { promptWords } from "../text/prompt-words.ts";
import { ConflictView } from "./conflict-view.tsx";
import { DraftsLeft } from "./drafts-left.tsx";
import { draftsLeft, dropDraft, keepAside, keepDraft, watchDraftsLeft, type Draft } from "./drafts.ts";
import { EditorPane } from "./editor-pane.tsx";
import { FindingsList } from "./findings-list.tsx";
import { InsertBar } from "./insert-bar.tsx";
import { PreviewPane } from "./preview-pane.tsx";
import { beginsAs, newTarget } from "./preview-target.tsx";
import { SaveBar } from "./save-bar.tsx";
import type { TemplateEditor } from "./template-editor.ts";
import { useNewest } from "./use-newest.ts";
import { usePreview } from "./preview-pane.tsx";
import { useTemplate } from "./use-template.ts";
import { VersionsView } from "./versions-view.tsx";

interface WorkbenchProps {
  readonly inForce: TemplateInForce;
  readonly variables: readonly SystemPromptVariable[];
  readonly models: readonly Model[];
  readonly draftId: string;
  readonly draft: Draft | undefined;
}

/**
 * Reading a very long text costs more. Short, so that the preview is drawn before the next key of a fast typist: for
 * about 50 ms after a frame, browsers schedule the next one at their own rate, which would delay a key by up to 17 ms.
 */
const pauses = [
  { below: 200_000, ms: 15 },
  { below: Number.POSITIVE_INFINITY, ms: 300 },
] as const;
const lintDelayMs = 300;

export function PromptWorkbench({ inForce, variables, models, draftId, draft }: WorkbenchProps): JSX.Element {
  const initialText = draft?.text ?? inForce.template;
  const isWork = draft !== undefined && draft.text !== inForce.template;
  const stored = useTemplate({ inForce, etag: isWork ? draft.etag : inForce.etag });
  const [editor, setEditor] = useState<TemplateEditor>();
  const [text, setText] = useState(initialText);
  const [isKept, setIsKept] = useState(true);
  const [note, setNote] = useState("");
  const [left, setLeft] = useState<readonly Draft[]>([]);
  const [target, setTarget] = useState(newTarget);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isDirty = text !== stored.inForce.template;

  // Stored before anything else can happen to this tab.
  const keep = useRef<() => void>(() => undefined);
  keep.current = () => {
    if (editor === undefined) return;
    const work = editor.text;
    if (work === stored.inForce.template) dropDraft(draftId);
    else setIsKept(keepDraft({ id: draftId, text: work, etag: stored.etag }));
  };
  useEffect(() => keep.current(), [text, stored.etag, stored.inForce.template]);
  useEffect(() => {
    const flush = (): void => keep.current();
    addEventListener("pagehide", flush);
    return () => {
      removeEventListener("pagehide", flush);
      clearTimeout(timer.current);
      flush();
    };
  }, []);
  const listLeft = (): void =>
    void draftsLeft().then((drafts) => setLeft(drafts.filter(({ id }) => id !== draftId)));
  useEffect(() => {
    const shown = new AbortController();
    watchDraftsLeft(shown.signal, listLeft);
    return () => shown.abort();
  }, []);

  // An untouched text follows the stored template.
  const lastStored = useRef(isWork ? undefined : inForce.template);
  useEffect(() => {
    const { etag, inForce, follow } = stored;
    if (editor === undefined) return;
    const isUntouched = editor.text === lastStored.current;
    if (isUntouched && editor.text !== inForce.template) takeText(inForce.template);
    if (etag !== inForce.etag && (isUntouched || editor.text === inForce.template)) follow();
    if (isUntouched || etag === inForce.etag) lastStored.current = inForce.template;
  }, [editor, stored.inForce]);

  const readSoon = (): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(
      () => setText(editor?.text ?? initialText),
      pauses.find(({ below }) => text.length < below)?.ms,
    );
  };
  const takeText = (template: string): void => {
    editor?.replaceText(template);
    setText(template);
  };
  const putAside = (): void => {
    if (editor === undefined || editor.text === stored.inForce.template) return;
    keepAside({ text: editor.text, etag: stored.etag });
  };
  const save = async (etag?: string): Promise<void> => {
    if (editor === undefined) return;
    const template = editor.text;
    setText(template);
    const isSaved = await stored.save({ template, note: note.trim(), ...(etag === undefined ? {} : { etag }) });
    if (isSaved) setNote("");
  };
  const takeStored = async (): Promise<void> => {
    const taken = await stored.takeStored();
    if (taken !== undefined) takeText(taken.template);
  };
  const restore = async (version: number): Promise<void> => {
    putAside();
    const restored = await stored.restore(version);
    if (restored !== undefined) {
      takeText(restored.template);
      stored.say(promptWords.versions.restored(version, restored.version));
    }
    listLeft();
  };

  const preview = usePreview(text, target);
  const lint = useNewest({
    ask: async (signal) => ({
      text,
      found: await api.call(routes.lintTemplate, { body: { template: text }, signal }),
    }),
    keys: [text],
    delayMs: lintDelayMs,
  });
  const found = lint.value;
  return (
    <>
      <header class="prompt-head">
        <h1>{promptWords.title}</h1>
        <p class="quiet">{promptWords.intro}</p>
      </header>
      <SaveBar
        stored={stored}
        isDirty={isDirty}
        isKept={isKept}
        tryWith={beginsAs(target)}
        note={note}
        onNote={setNote}
        onSave={() => void save()}
        onDiscard={() => {
          putAside();
          listLeft();
          void takeStored();
        }}
      />
      {stored.error !== undefined && <Problem error={stored.error} />}
      {stored.conflict !== undefined && (
        <ConflictView
          conflict={stored.conflict}
          said={promptWords.conflict}
          onMine={() => void save(stored.conflict?.etag)}
          onTheirs={() => {
            putAside();
            listLeft();
            void takeStored();
          }}
          onLater={() => {
            stored.dropConflict();
            editor?.focus();
          }}
        />
      )}
      <DraftsLeft
        drafts={left}
        onOpen={(opened) => {
          putAside();
          takeText(opened.text);
          dropDraft(opened.id);
          listLeft();
        }}
        onRemove={({ id }) => {
          dropDraft(id);
          listLeft();
        }}
      />
      <div class="workbench">
        <section class="template" aria-labelledby="template-title">
          <h2 id="template-title">{promptWords.editor.title}</h2>
          <InsertBar variables={variables} editor={editor} cwd={target.conversation?.cwd ?? target.cwd.trim()} />
          <EditorPane
            initialText={initialText}
            label={promptWords.editor.label}
            variables={variables}
            lint={found?.found}
            editor={editor}
            onReady={setEditor}
            onChange={readSoon}
            onSave={() => void save()}
          />
          <p class="quiet">{promptWords.editor.keys}</p>
          <section aria-busy={lint.isAsking}>
            <h3>{promptWords.findings.title}</h3>
            {lint.error !== undefined && <Problem error={lint.error} onRetry={lint.retry} />}
            {found !== undefined && editor !== undefined && (
              <FindingsList lint={found.found} text={found.text} editor={editor} />
            )}
          </section>
        </section>
        <PreviewPane
          text={text}
          preview={preview}
          target={target}
          models={models}
          onTarget={setTarget}
          onReveal={(from, to) => editor?.reveal(from, to)}
        />
      </div>
      <VersionsView current={stored.inForce.version} onRestore={(version) => void restore(version)} />
    </>
  );
}
