/** Pictures that go along with requests: chosen, pasted or dropped; shown as chips that can be taken away. */

import { useRef } from "preact/hooks";
import type { RefObject } from "preact";

import { currentLanguage, t } from "../i18n/t";
import type { AttachmentView } from "../session/messages";
import { focusSoon } from "./focus";
import { Icon, Spinner } from "./icons";

/** The element that takes the focus when the last chip goes away. */
const BUTTON_ID = "attach-button";

const KB = 1024;

/** A size as people read it: "12 KB", "1.4 MB". */
export function sizeText(bytes: number): string {
  const large = bytes >= KB * KB;
  const format = new Intl.NumberFormat(currentLanguage(), { maximumFractionDigits: large ? 1 : 0 });
  const size = format.format(large ? bytes / (KB * KB) : Math.max(1, bytes / KB));
  return t(large ? "attach.size.mb" : "attach.size.kb", { size });
}

/** The pictures among what was pasted or dropped. The server checks them by their content. */
export function picturesOf(transfer: DataTransfer | null): File[] {
  return [...(transfer?.files ?? [])].filter((file) => file.type.startsWith("image/"));
}

export function AttachButton({ onFiles }: { onFiles: (files: File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        type="button"
        id={BUTTON_ID}
        class="button subtle icon-only attach"
        aria-label={t("attach.button")}
        title={t("attach.button")}
        onClick={() => input.current?.click()}
      >
        <Icon name="attach" />
      </button>
      <input
        ref={input}
        type="file"
        accept="image/*"
        multiple
        hidden
        onChange={(event) => {
          const files = [...(event.currentTarget.files ?? [])];
          // The same file can be chosen again.
          event.currentTarget.value = "";
          if (files.length > 0) onFiles(files);
        }}
      />
    </>
  );
}

interface AttachmentsProps {
  attachments: readonly AttachmentView[];
  uploading: readonly string[];
  /** Resolves to whether the picture goes away. */
  onRemove: (name: string) => Promise<boolean>;
}

export function Attachments({ attachments, uploading, onRemove }: AttachmentsProps) {
  const list = useRef<HTMLUListElement>(null);
  /** Pictures that are being taken away: their chips still stand there, and must not get the focus. */
  const going = useRef(new Set<string>());
  for (const name of going.current) {
    if (!attachments.some((one) => one.name === name)) going.current.delete(name);
  }
  const remove = async (name: string) => {
    if (going.current.has(name)) return;
    going.current.add(name);
    const names = attachments.map((one) => one.name);
    moveFocus(list, names, going.current, names.indexOf(name));
    if (!(await onRemove(name))) going.current.delete(name);
  };
  if (attachments.length + uploading.length === 0) return null;
  return (
    <ul class="attachments" ref={list} aria-label={t("attach.list")}>
      {attachments.map(({ name, size }) => (
        <li key={name} class="chip">
          <Icon name="picture" />
          <span class="chip-name" title={name}>
            {name}
          </span>
          <span class="chip-size">{sizeText(size)}</span>
          <button
            type="button"
            class="button small subtle icon-only"
            aria-label={t("attach.remove", { name })}
            title={t("attach.remove", { name })}
            onClick={() => void remove(name)}
          >
            <Icon name="close" />
          </button>
        </li>
      ))}
      {uploading.map((name, index) => (
        <li key={`uploading ${index}`} class="chip">
          <Spinner />
          <span class="chip-name">{t("attach.uploading", { name })}</span>
        </li>
      ))}
    </ul>
  );
}

/**
 * The chip at `index` is about to go: the focus goes to the nearest one that stays, or to the button that attaches.
 */
function moveFocus(
  list: RefObject<HTMLUListElement | null>,
  names: readonly string[],
  going: ReadonlySet<string>,
  index: number,
): void {
  const buttons = [...(list.current?.querySelectorAll("button") ?? [])];
  const staying = buttons.filter((_, at) => !going.has(names[at] ?? ""));
  const next =
    staying.find((button) => buttons.indexOf(button) > index) ?? staying[staying.length - 1];
  if (next) next.focus();
  else focusSoon(BUTTON_ID);
}
