/** Where the user writes. Never blocked: what is written while a request is at work joins the queue. */

import type { RefObject } from "preact";
import { useState } from "preact/hooks";

import { t } from "../i18n/t";
import type { AttachmentView } from "../session/messages";
import { AttachButton, Attachments, picturesOf } from "./attachments";
import { Icon } from "./icons";

interface RequestBoxProps {
  draft: string;
  box: RefObject<HTMLTextAreaElement | null>;
  working: boolean;
  stopping: boolean;
  onDraft: (text: string) => void;
  onSend: () => void;
  onStop: () => void;
  attachments: readonly AttachmentView[];
  uploading: readonly string[];
  onAttach: (files: File[]) => void;
  onDetach: (name: string) => Promise<boolean>;
}

/** The box itself: where the focus goes when there is nothing nearer. */
export const REQUEST_ID = "request";

const COMMAND_KEY = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘" : "Ctrl";

export function RequestBox(props: RequestBoxProps) {
  const { draft, box, working, stopping, onDraft, onSend, onStop, onAttach } = props;
  const [dropping, setDropping] = useState(false);
  const send = () => {
    onSend();
    box.current?.focus();
  };
  /** The button goes away with it. */
  const stop = () => {
    onStop();
    box.current?.focus();
  };
  return (
    <form
      class="request-box"
      data-dropping={dropping || undefined}
      onDragOver={(event) => {
        if (!holdsPicture(event.dataTransfer)) return;
        // Tells the page around, which opens documents that are dropped on it, that this one is taken.
        event.preventDefault();
        setDropping(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setDropping(false);
      }}
      onDrop={(event) => {
        setDropping(false);
        const pictures = picturesOf(event.dataTransfer);
        if (pictures.length === 0) return;
        event.preventDefault();
        onAttach(pictures);
      }}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <label for={REQUEST_ID} class="visually-hidden">
        {t("request.label")}
      </label>
      <textarea
        id={REQUEST_ID}
        ref={box}
        rows={2}
        value={draft}
        placeholder={t("request.placeholder")}
        aria-describedby="request-hint"
        onPaste={(event) => {
          const pictures = picturesOf(event.clipboardData);
          // Word and spreadsheets put a picture of the text beside the text: then the text is meant.
          if (pictures.length === 0 || event.clipboardData?.types.includes("text/plain")) return;
          event.preventDefault();
          onAttach(pictures);
        }}
        onInput={(event) => onDraft(event.currentTarget.value)}
        onKeyDown={(event) => {
          // An IME's Enter picks a candidate.
          if (event.key !== "Enter" || event.isComposing || !(event.ctrlKey || event.metaKey))
            return;
          event.preventDefault();
          send();
        }}
      />
      <Attachments
        attachments={props.attachments}
        uploading={props.uploading}
        onRemove={props.onDetach}
      />
      <div class="request-row">
        <AttachButton onFiles={onAttach} />
        <span id="request-hint" class="hint">
          {t(working ? "request.hint.working" : "request.hint", { key: COMMAND_KEY })}
        </span>
        {working && (
          <button type="button" class="button" disabled={stopping} onClick={stop}>
            <Icon name="stop" />
            {t(stopping ? "request.stopping" : "request.stop")}
          </button>
        )}
        <button type="submit" class="button primary" disabled={draft.trim() === ""}>
          <Icon name="send" />
          {t(working ? "request.queue" : "request.send")}
        </button>
      </div>
      {dropping && <p class="drop-note">{t("request.drop")}</p>}
    </form>
  );
}

/** While it is dragged a file shows its type only, and in Firefox not even that. */
function holdsPicture(transfer: DataTransfer | null): boolean {
  const hidden = ["", "application/x-moz-file"];
  return [...(transfer?.items ?? [])].some(
    ({ kind, type }) => kind === "file" && (type.startsWith("image/") || hidden.includes(type)),
  );
}
