/** A file input that looks like the other buttons and is still one for the keyboard and for readers. */

import { t } from "../i18n/t";
import { Icon } from "../ui/icons";

interface OpenButtonProps {
  label: string;
  primary?: boolean;
  onFile: (file: File) => void;
}

export function OpenButton({ label, primary = false, onFile }: OpenButtonProps) {
  return (
    <label class={primary ? "button primary file-button" : "button file-button"}>
      <Icon name="open" />
      {label}
      <input
        type="file"
        accept=".docx,.docm"
        class="visually-hidden"
        aria-label={`${label}: ${t("playground.open.label")}`}
        onChange={(event) => {
          const input = event.currentTarget;
          const file = input.files?.[0];
          // The same file can be chosen again.
          input.value = "";
          if (file) onFile(file);
        }}
      />
    </label>
  );
}
