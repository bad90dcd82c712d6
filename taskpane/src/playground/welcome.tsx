/** The page before a document is open. */

import { useEffect, useState } from "preact/hooks";

import { t } from "../i18n/t";
import type { Api } from "../session/api";
import type { SampleView } from "../session/messages";
import { Icon, Spinner } from "../ui/icons";
import { OpenButton } from "./open-button";

interface WelcomeProps {
  api: Api;
  opening: string | null;
  onFile: (file: File) => void;
  onSample: (sample: SampleView) => void;
}

export function Welcome({ api, opening, onFile, onSample }: WelcomeProps) {
  const samples = useSamples(api);
  return (
    <main class="landing">
      <div class="landing-inner">
        <p class="brand large">
          <Logo />
          {t("app.name")}
        </p>
        <h1>{t("playground.heading")}</h1>
        <p class="lead">{t("playground.lead")}</p>
        <div class="drop-zone">
          {opening === null ? (
            <>
              <OpenButton label={t("playground.open")} primary onFile={onFile} />
              <p>{t("playground.open.hint")}</p>
            </>
          ) : (
            <p class="opening" role="status">
              <Spinner />
              {t("playground.opening", { name: opening })}
            </p>
          )}
        </div>
        {samples.length > 0 && (
          <section aria-labelledby="samples-title">
            <h2 id="samples-title">{t("playground.samples")}</h2>
            <ul class="samples">
              {samples.map((sample) => (
                <li key={sample.id}>
                  <button
                    type="button"
                    class="sample"
                    disabled={opening !== null}
                    onClick={() => onSample(sample)}
                  >
                    <Icon name="document" />
                    <span>
                      <strong>{sample.name}</strong>
                      <span>{sample.description}</span>
                    </span>
                  </button>
                </li>
              ))}
            </ul>
          </section>
        )}
        <p class="privacy">
          {t("playground.privacy")}{" "}
          <a href="third-party-licences.txt">{t("playground.licences")}</a>
        </p>
      </div>
    </main>
  );
}

export function useSamples(api: Api): readonly SampleView[] {
  const [samples, setSamples] = useState<readonly SampleView[]>([]);
  useEffect(() => {
    // Without samples there is still the user's own document.
    api.samples().then(setSamples, () => setSamples([]));
  }, [api]);
  return samples;
}

/** The proof-reader's stet: a line of dots under what stands. */
export function Logo() {
  return (
    <svg class="logo" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <rect width="24" height="24" rx="5" />
      <path d="M6.2 8.2h11.6M6.2 12.4h8" />
      <path class="dots" d="M6.4 17.2h.01M10.1 17.2h.01M13.8 17.2h.01M17.5 17.2h.01" />
    </svg>
  );
}
